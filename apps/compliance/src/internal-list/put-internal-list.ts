import { type AuditEntry, AuditLog } from '@constancia/auth';
import {
  actingOf,
  ApiActor,
  ApiIfMatch,
  ApiProblems,
  ClientIp,
  ifMatches,
  RawBody,
  RequireScope,
  CurrentPrincipal,
  type Principal,
} from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { DependencyUnavailable, StateConflict, ValidationError } from '@constancia/problem-json';
import { Controller, Headers, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ImportOutcome, ListChanged, type ListImport, ListImports } from '../lists/list-imports.ts';
import { FilesRefused } from '../lists/list-refused.ts';
import { ListView } from '../lists/list-view.ts';
import { Lists } from '../lists/lists.ts';
import { etagOf, internalImport, MAX_BYTES, sentenceOf } from './internal-file.ts';

/** PUT /v1/lists/INTERNAL: the list that a tenant keeps for itself, screened against beside the others. */
@Controller('v1/lists/INTERNAL')
@ApiTags('Lists')
export class PutInternalList {
  constructor(
    private readonly imports: ListImports,
    private readonly lists: Lists,
  ) {}

  @Put()
  @RequireScope('compliance:lists')
  @ApiOperation({
    operationId: 'putInternalList',
    summary: 'Replace the tenant’s own list',
    description:
      'A CSV file (UTF-8, RFC 4180, comma or semicolon) with a header. Columns: `id` and `name`; optional: `kind` (person, organisation, vessel, aircraft), ' +
      '`aliases`, `weak_aliases`, `birth_date`, `countries`, `identifiers` (`CC:CO:1234567`), `programmes`, `role`, `role_until`. Cells with several values join them with `;`. ' +
      'The file replaces the whole list, for this tenant alone; one with nothing but the header empties it. Hits name the list INTERNAL. ' +
      'Subjects that were screened before are screened again when monitoring is on. The same file again changes nothing, whatever its If-Match.',
  })
  @ApiActor()
  @ApiIfMatch('list (GET /v1/lists/INTERNAL)')
  @ApiOkResponse({ type: ListView })
  @ApiProblems(
    'validation-error',
    'bad-request',
    'state-conflict',
    'payload-too-large',
    'unsupported-media-type',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Headers('x-actor') actor: string | undefined,
    @Headers('if-match') ifMatch: string | undefined,
    @RawBody('text/csv', MAX_BYTES) bytes: Buffer,
    @ClientIp() origin: string,
  ): Promise<ListView> {
    const acting = actingOf(actor, principal);
    const request = internalImport(principal.tenant.id, acting.actor, bytes);
    const onBehalfOf = acting.by.on_behalf_of;
    await this.replace(
      { ...request, beside: (tx, came) => recordReplaced(tx, came, { principal, onBehalfOf, origin }) },
      ifMatch,
    );
    await this.lists.refresh(); // the next request of this tenant to this process sees it; the other processes within moments
    const { rows, stale } = await this.lists.current(principal.tenant.id);
    const own = rows.find(({ tenant_id }) => tenant_id === principal.tenant.id);
    if (!own) throw new DependencyUnavailable('The list is stored and not loaded yet.', {}, { 'Retry-After': '3' });
    return ListView.of(own, stale.includes('INTERNAL'));
  }

  private async replace(request: ListImport, ifMatch: string | undefined): Promise<void> {
    try {
      await this.imports.run({ ...request, mayReplace: (version) => ifMatches(ifMatch, etagOf(version)) });
    } catch (error) {
      if (error instanceof ListChanged) {
        throw new StateConflict('Somebody replaced the list since the version in If-Match: read it again.');
      }
      if (!(error instanceof FilesRefused)) throw error;
      throw new ValidationError([{ pointer: '', code: error.refusal.code, detail: sentenceOf(error.refusal) }]);
    }
  }
}

/** Counts alone: who is on the list is personal data. */
async function recordReplaced(
  tx: Tx,
  came: ImportOutcome | FilesRefused,
  by: Pick<AuditEntry, 'principal' | 'onBehalfOf' | 'origin'>,
): Promise<void> {
  if (came instanceof FilesRefused || came.outcome === 'unchanged') return;
  const { version, size, changes } = came;
  const { added, changed, removed } = changes;
  const after = { version, entries: size.entries, added, changed, removed };
  await AuditLog.record(tx, {
    ...by,
    action: 'internal_list.replaced',
    object: { kind: 'list', id: 'INTERNAL' },
    after,
  });
}
