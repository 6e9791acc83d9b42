import {
  actorOf,
  ApiActor,
  ApiProblems,
  RawBody,
  type Tenant,
  RequireScope,
  CurrentPrincipal,
  type Principal,
} from '@constancia/http';
import { DependencyUnavailable, ValidationError } from '@constancia/problem-json';
import { Controller, Headers, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ListImports } from './list-imports.ts';
import { ListView } from './list-view.ts';
import { FilesRefused, type Refusal } from './list-refused.ts';
import { Lists } from './lists.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const FILE_NAME = 'internal.csv';

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
      'Subjects that were screened before are screened again when monitoring is on. The same file again changes nothing.',
  })
  @ApiActor()
  @ApiOkResponse({ type: ListView })
  @ApiProblems(
    'validation-error',
    'bad-request',
    'payload-too-large',
    'unsupported-media-type',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Headers('x-actor') actor: string | undefined,
    @RawBody('text/csv', MAX_BYTES) bytes: Buffer,
  ): Promise<ListView> {
    await this.replace(principal.tenant, actorOf(actor, principal), bytes);
    await this.lists.refresh(); // the next request of this tenant to this process sees it; the other processes within moments
    const { rows, stale } = await this.lists.current(principal.tenant.id);
    const own = rows.find(({ tenant_id }) => tenant_id === principal.tenant.id);
    if (!own) throw new DependencyUnavailable('The list is stored and not loaded yet.', {}, { 'Retry-After': '3' });
    return ListView.of(own, stale.includes('INTERNAL'));
  }

  private async replace(tenant: Tenant, operator: string, bytes: Buffer): Promise<void> {
    try {
      await this.imports.run({
        list: 'INTERNAL',
        tenantId: tenant.id,
        files: [{ name: FILE_NAME, bytes }],
        format: 'plain-csv',
        operator,
        force: true, // a tenant's list may become as small as the tenant likes
        mayBeEmpty: true,
      });
    } catch (error) {
      throw error instanceof FilesRefused ? invalid(error.refusal) : error;
    }
  }
}

function invalid({ code, detail, line }: Refusal): ValidationError {
  const where = line === undefined ? '' : `Line ${line}: `;
  return new ValidationError([{ pointer: '', code, detail: `${where}${detail}` }]);
}
