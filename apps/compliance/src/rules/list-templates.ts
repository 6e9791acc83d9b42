import { shape } from '@constancia/contracts';
import { ApiOptional, ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { catalogue, DECISIONS, type Decision, type Rule, type RuleDefinition } from '@constancia/rule-graph';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { DEFINITION_SCHEMA, RULE_SUBJECT_TYPES } from './rule-view.ts';

export const TEMPLATE_GROUPS = ['sarlaft'] as const;

export class ListTemplatesQuery {
  @ApiOptional({
    enumName: 'RuleSubjectType',
    description: '`natural` and `legal` include the rules for both kinds; `both`, or left out, is the whole catalogue.',
  })
  @IsIn(RULE_SUBJECT_TYPES)
  subject_type?: Rule['subject_type'];

  @ApiOptional({ enumName: 'TemplateGroup' })
  @IsIn(TEMPLATE_GROUPS)
  group?: (typeof TEMPLATE_GROUPS)[number];
}

/** The same words in both languages. */
export class BilingualTextView {
  @ApiProperty({ ...shape.text(2000), example: 'Coincidencia en la lista del Consejo de Seguridad de la ONU.' })
  es: string;

  @ApiProperty({ ...shape.text(2000), example: 'A hit on the list of the UN Security Council.' })
  en: string;
}

export class RuleTemplateView {
  @ApiProperty({ ...shape.ruleCode, example: 'SARLAFT-ONU-001' })
  code: string;

  @ApiProperty({ enum: TEMPLATE_GROUPS, enumName: 'TemplateGroup', example: 'sarlaft' })
  group: (typeof TEMPLATE_GROUPS)[number];

  @ApiProperty({ enum: RULE_SUBJECT_TYPES, enumName: 'RuleSubjectType', example: 'both' })
  subject_type: Rule['subject_type'];

  @ApiProperty({ enum: DECISIONS, enumName: 'Decision', example: 'review' })
  severity: Decision;

  @ApiProperty({ ...shape.count(), description: 'What its action adds.', example: 100 })
  score: number;

  @ApiProperty()
  description: BilingualTextView;

  @ApiProperty({ description: 'What the rule rests on. Have it confirmed by your own counsel.' })
  legal_basis: BilingualTextView;

  @ApiProperty(DEFINITION_SCHEMA)
  definition: RuleDefinition;
}

export class RuleTemplateList {
  @ApiProperty({ maxItems: 500, type: () => [RuleTemplateView] })
  data: RuleTemplateView[];
}

/** GET /v1/templates: the catalogue of canonical rules. */
@Controller('v1/templates')
@ApiTags('Validations')
export class ListRuleTemplates {
  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listRuleTemplates',
    summary: 'List the canonical rules',
    description: 'What seed-defaults adds to a draft: each rule with its graph, its severity and its legal basis.',
  })
  @ApiOkResponse({ type: RuleTemplateList, description: 'The catalogue, in its order.' })
  @ApiProblems('validation-error')
  handle(@CurrentTenant() _tenant: Tenant, @Query() query: ListTemplatesQuery): RuleTemplateList {
    return { data: catalogue({ subjectType: query.subject_type, group: query.group }) };
  }
}
