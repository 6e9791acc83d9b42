import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { catalogue, type Rule, type RuleTemplate } from '@constancia/rule-graph';
import { referenced } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { lockDraft } from '../validations/validations.ts';
import { RULE_SUBJECT_TYPES } from './rule-view.ts';
import { addRules, rulesOf } from '../validations/stored-rules.ts';

export class SeedDefaultsBody {
  @ApiProperty({ ...shape.id('val'), example: VALIDATION_ID_EXAMPLE })
  @IsString()
  validation_id: string;

  @ApiProperty({
    enumName: 'RuleSubjectType',
    description: '`natural` and `legal` include the rules for both kinds; `both` is the whole catalogue.',
  })
  @IsIn(RULE_SUBJECT_TYPES)
  subject_type: Rule['subject_type'];
}

export class SeededView {
  @ApiProperty({ ...shape.id('val'), example: VALIDATION_ID_EXAMPLE })
  validation_id: string;

  @ApiProperty({ ...shape.count(), description: 'Rules that were added.', example: 20 })
  added: number;

  @ApiProperty({ ...shape.count(), description: 'Rules that the draft had: they stay as they are.', example: 0 })
  skipped: number;

  @ApiProperty({
    maxItems: 500,
    type: 'array',
    items: { type: 'string', ...shape.ruleCode },
    description: 'Codes of the added rules.',
    example: ['SARLAFT-ONU-001'],
  })
  rule_codes: string[];
}

/** POST /v1/rules/seed-defaults: the canonical SARLAFT rules, as far as the draft lacks them. */
@Controller('v1/rules')
@ApiTags('Validations')
export class SeedDefaults {
  constructor(private readonly database: Database) {}

  @Post('seed-defaults')
  @RequireScope('compliance:rules')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'seedDefaultRules',
    summary: 'Add the canonical SARLAFT rules to a draft',
    description:
      'Adds what is missing, by code. A rule that the draft has stays as it is, edited or not, so this can be repeated.',
  })
  @ApiOkResponse({ type: SeededView, description: 'What was added.' })
  @ApiProblems('validation-error', 'bad-request', 'validation-not-draft', 'not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Body() body: SeedDefaultsBody): Promise<SeededView> {
    return this.database.tenant(tenant.id, async (tx) => {
      const detail = 'There is no validation with this validation_id.';
      const draft = await referenced('/validation_id', detail, lockDraft(tx, tenant.id, body.validation_id));
      const { added, skipped } = await seedDefaults(tx, tenant.id, draft.id, body.subject_type);
      return { validation_id: typeId('val', draft.id), added: added.length, skipped, rule_codes: added };
    });
  }
}

/** Adds the catalogue's rules that a locked draft lacks, in the catalogue's order; answers their codes. */
export async function seedDefaults(
  tx: Tx,
  tenantId: string,
  validationUuid: string,
  subjectType: Rule['subject_type'],
): Promise<{ added: string[]; skipped: number }> {
  const present = new Set((await rulesOf(tx, tenantId, validationUuid)).map(({ code }) => code));
  const wanted = seeds(subjectType);
  const missing = wanted.filter(({ code }) => !present.has(code));
  if (missing.length > 0) await addRules(tx, tenantId, validationUuid, missing);
  return { added: missing.map(({ code }) => code), skipped: wanted.length - missing.length };
}

/** Positions are those of the whole catalogue, so that seeding in two steps gives the same order as in one. */
function seeds(subjectType: Rule['subject_type']): Rule[] {
  const wanted = new Set(catalogue({ subjectType }).map(({ code }) => code));
  return catalogue().flatMap((template, nth) => (wanted.has(template.code) ? [ruleOf(template, (nth + 1) * 10)] : []));
}

function ruleOf(
  { code, severity, score, subject_type, description, definition }: RuleTemplate,
  position: number,
): Rule {
  return { code, severity, score, subject_type, description: description.es, position, definition };
}
