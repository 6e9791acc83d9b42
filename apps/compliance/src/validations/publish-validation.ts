import { AuditLog } from '@constancia/auth';
import type { Acting } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiIfMatch,
  ApiProblems,
  ClientIp,
  type ConditionalHeaders,
  CurrentPrincipal,
  type Principal,
  requireMatch,
  RequireScope,
} from '@constancia/http';
import { isSamePerson, typeId } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { Forbidden, StateConflict } from '@constancia/problem-json';
import { lintRules, type Rule } from '@constancia/rule-graph';
import { Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type OwnSettings, settingsOf } from '../settings/compliance-settings.ts';
import { type AwaitedBySecondPerson, notifySecondPersons } from '../settings/notify-second-persons.ts';
import { isSecondPerson, NOT_A_SECOND_PERSON } from '../settings/second-person.ts';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { LintView } from './lint-view.ts';
import { columnsOf, rulesHash, rulesOf } from './stored-rules.ts';
import type { Publication } from './validation.entity.ts';
import { validationEtag, type ValidationRow, ValidationView } from './validation-view.ts';
import { publicationAudit } from './validation-audit.ts';
import { findValidation, lockCode, lockValidation, NEW_REVISION } from './validations.ts';

/** POST /v1/validations/{id}/publish: the draft takes the place of the published version of its code. */
@Controller('v1/validations')
@ApiTags('Validations')
export class PublishValidation {
  constructor(private readonly database: Database) {}

  @Post(':id/publish')
  @RequireScope('compliance:rules')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'publishValidation',
    summary: 'Publish a draft',
    description:
      'In one step the version that was published under the same code becomes `deprecated`. A draft without rules, or with errors ' +
      'of the linter (listed in `errors`), is refused, and so is one that is no draft any more. With publish_four_eyes it stays a draft, ' +
      'with `published_first_by`, until a second person publishes the same rules: a member, or one whom a key names in X-Actor while the ' +
      'settings declare trusted_actor.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiActor()
  @ApiIfMatch('validation')
  @ApiOkResponse({
    type: ValidationView,
    description: 'The published validation, or the draft that waits for a second person.',
  })
  @ApiProblems('not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Headers('x-actor') actor: string | undefined,
    @Param('id') id: string,
    @Headers() { 'if-match': ifMatch }: ConditionalHeaders,
    @ClientIp() origin: string,
  ): Promise<ValidationView> {
    const { tenant } = principal;
    const acting = actingOf(actor, principal);
    return this.database.tenant(tenant.id, async (tx) => {
      const { code } = await findValidation(tx, tenant.id, id);
      await lockCode(tx, tenant.id, code);
      const draft = await lockValidation(tx, tenant.id, id);
      if (draft.status !== 'draft') {
        throw new StateConflict(
          `The validation is ${draft.status}: only a draft can be published. Clone it, then publish the clone.`,
        );
      }
      requireMatch(ifMatch, validationEtag(draft), 'draft');
      const settings = await settingsOf(tx, tenant.id);
      const published = settings.publish_four_eyes
        ? await publishByTwo(tx, draft, acting, settings)
        : await publish(tx, draft);
      const onBehalfOf = acting.by.on_behalf_of;
      await AuditLog.record(tx, { principal, onBehalfOf, origin, ...publicationAudit(published) });
      return ValidationView.of(published);
    });
  }
}

/** Publishes a locked draft for the second person; for the first one notes who it was. */
export async function publishByTwo(
  tx: Tx,
  draft: ValidationRow,
  acting: Acting,
  settings: OwnSettings,
): Promise<ValidationRow> {
  const hash = rulesHash(await publishableRules(tx, draft)).toString('hex');
  const first = draft.publication?.rules_hash === hash ? draft.publication : null;
  if (first === null) {
    const publication: Publication = { ...acting, rules_hash: hash, at: new Date().toISOString() };
    await tx.query(
      `update compliance.validation set publication = $3, ${NEW_REVISION} where tenant_id = $1 and id = $2`,
      [draft.tenant_id, draft.id, JSON.stringify(publication)],
    );
    await notifySecondPersons(tx, awaitedOf(draft, publication), acting);
    return findValidation(tx, draft.tenant_id, typeId('val', draft.id));
  }
  if (isSamePerson(first, acting)) {
    throw new StateConflict('You published this draft already: another person has to publish it, too.');
  }
  if (!isSecondPerson(acting.by, settings)) throw new Forbidden(NOT_A_SECOND_PERSON);
  return publish(tx, draft);
}

function awaitedOf({ tenant_id, id, code }: ValidationRow, { at }: Publication): AwaitedBySecondPerson {
  return { kind: 'rules_awaiting_publication', tenantId: tenant_id, id, occasion: at, title: code };
}

/** The rules of a draft. Throws StateConflict with everything that forbids to publish them. */
async function publishableRules(tx: Tx, draft: ValidationRow): Promise<Required<Rule>[]> {
  const rules = (await rulesOf(tx, draft.tenant_id, draft.id)).map(columnsOf);
  if (rules.length === 0)
    throw new StateConflict('The draft has no rules: add some, or seed the canonical ones.', EMPTY);
  const { errors } = LintView.of(
    lintRules(rules),
    rules.map(({ code }) => code),
  );
  if (errors.length === 0) return rules;
  throw new StateConflict('The draft has errors: correct every item of errors, then publish it.', {
    errors: errors.slice(0, 100),
  });
}

/** Publishes a locked draft while its code is locked. Throws StateConflict with everything that forbids it. */
export async function publish(tx: Tx, draft: ValidationRow): Promise<ValidationRow> {
  const rules = await publishableRules(tx, draft);
  await tx.query(
    `update compliance.validation set status = 'deprecated', deprecated_at = now(), ${NEW_REVISION}
      where tenant_id = $1 and code = $2 and status = 'published'`,
    [draft.tenant_id, draft.code],
  );
  await tx.query(
    `update compliance.validation set status = 'published', published_at = now(), ${NEW_REVISION}, rules_hash = $3,
            publication = null
      where tenant_id = $1 and id = $2`,
    [draft.tenant_id, draft.id, rulesHash(rules)],
  );
  return findValidation(tx, draft.tenant_id, typeId('val', draft.id));
}

const EMPTY = { errors: [{ pointer: '/rules', code: 'required', detail: 'Add at least one rule.' }] };
