import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { lintRules } from '@constancia/rule-graph';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { LintView } from './lint-view.ts';
import { columnsOf, rulesHash, rulesOf } from './stored-rules.ts';
import { type ValidationRow, ValidationView } from './validation-view.ts';
import { findValidation, lockCode, lockValidation } from './validations.ts';

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
      'of the linter (listed in `errors`), is refused, and so is one that is no draft any more.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiOkResponse({ type: ValidationView, description: 'The published validation.' })
  @ApiProblems('not-found', 'state-conflict')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ValidationView> {
    return this.database.tenant(tenant.id, async (tx) => {
      const { code } = await findValidation(tx, tenant.id, id);
      await lockCode(tx, tenant.id, code);
      const draft = await lockValidation(tx, tenant.id, id);
      if (draft.status !== 'draft') {
        throw new StateConflict(
          `The validation is ${draft.status}: only a draft can be published. Clone it, then publish the clone.`,
        );
      }
      return ValidationView.of(await publish(tx, draft));
    });
  }
}

/** Publishes a locked draft while its code is locked. Throws StateConflict with everything that forbids it. */
export async function publish(tx: Tx, draft: ValidationRow): Promise<ValidationRow> {
  const rules = (await rulesOf(tx, draft.tenant_id, draft.id)).map(columnsOf);
  if (rules.length === 0)
    throw new StateConflict('The draft has no rules: add some, or seed the canonical ones.', EMPTY);
  const { errors } = LintView.of(
    lintRules(rules),
    rules.map(({ code }) => code),
  );
  if (errors.length > 0) {
    throw new StateConflict('The draft has errors: correct every item of errors, then publish it.', {
      errors: errors.slice(0, 100),
    });
  }
  await tx.query(
    `update compliance.validation set status = 'deprecated', deprecated_at = now(), updated_at = now()
      where tenant_id = $1 and code = $2 and status = 'published'`,
    [draft.tenant_id, draft.code],
  );
  await tx.query(
    `update compliance.validation set status = 'published', published_at = now(), updated_at = now(), rules_hash = $3
      where tenant_id = $1 and id = $2`,
    [draft.tenant_id, draft.id, rulesHash(rules)],
  );
  const [published] = await tx.query<Pick<ValidationRow, 'status' | 'published_at' | 'updated_at' | 'rules_hash'>>(
    `select status, published_at, updated_at, rules_hash from compliance.validation where tenant_id = $1 and id = $2`,
    [draft.tenant_id, draft.id],
  );
  return { ...draft, ...published };
}

const EMPTY = { errors: [{ pointer: '/rules', code: 'required', detail: 'Add at least one rule.' }] };
