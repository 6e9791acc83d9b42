import { shape } from '@constancia/contracts';
import {
  type Decision,
  DECISIONS,
  DEFINITION_LIMITS,
  type LintReport,
  type Rule,
  type RuleDefinition,
} from '@constancia/rule-graph';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, type SchemaObject } from '@nestjs/swagger';
import { RULE_ID_EXAMPLE, VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { LintProblemView, MOST_PROBLEMS } from '../validations/lint-view.ts';
import { ruleEtag } from '../validations/stored-rules.ts';
import type { RuleRow } from '../validations/rule.entity.ts';

/** Kinds of subject that a rule is for. */
export const RULE_SUBJECT_TYPES = ['natural', 'legal', 'both'] as const;

export const DEFINITION_EXAMPLE = {
  nodes: [
    { id: 'minor', type: 'condition', predicate: 'subject_age_lt', value: 18 },
    { id: 'refuse', type: 'action', decision: 'reject', score: 100, reason: 'Menor de edad sin representante' },
  ],
  edges: [{ from: 'minor', to: 'refuse' }],
};

const NODE_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['id', 'type'],
  properties: {
    id: { type: 'string', ...shape.ruleCode },
    type: { type: 'string', enum: ['condition', 'action'] },
    predicate: {
      type: 'string',
      ...shape.word,
      description: 'Of a condition: what is asked (docs/guides/compliance.md lists all).',
    },
    value: { description: 'Of a condition: what the predicate asks for.' },
    decision: { type: 'string', enum: [...DECISIONS], description: 'Of an action; the rule’s severity by default.' },
    score: { ...shape.count(DEFINITION_LIMITS.score), description: 'Of an action; the rule’s score by default.' },
    reason: {
      type: 'string',
      ...shape.text(DEFINITION_LIMITS.reason),
      description: 'Of an action; the rule’s description by default.',
    },
  },
};

const EDGE_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['from', 'to'],
  properties: {
    from: { type: 'string', ...shape.ruleCode, description: 'Id of a condition.' },
    to: { type: 'string', ...shape.ruleCode, description: 'Id of a node.' },
    when: { type: 'boolean', description: '`false`: followed when the condition is false.' },
  },
};

/** How a graph looks, for the API description; the linter knows the rest. */
export const DEFINITION_SCHEMA: ApiPropertyOptions = {
  type: 'object',
  selfRequired: true, // of the rule; `required` names the members of the graph
  required: ['nodes', 'edges'],
  properties: {
    nodes: { type: 'array', maxItems: DEFINITION_LIMITS.nodes, items: NODE_SCHEMA },
    edges: { type: 'array', maxItems: DEFINITION_LIMITS.edges, items: EDGE_SCHEMA },
  },
  description:
    'A directed graph without cycles. Nodes without an incoming edge are starts; a chain of conditions means all of them, edges ' +
    'that meet mean any of them; an edge with `when: false` is followed when its condition is false. At most 200 nodes, 400 ' +
    'edges and 64 KB.',
  example: DEFINITION_EXAMPLE,
};

/** What a rule has, sent or shown. */
export class RuleContent {
  @ApiProperty({
    pattern: '^[A-Za-z0-9_.:-]{1,64}$',
    description: 'Unique within its validation.',
    example: 'SARLAFT-AGE-001',
  })
  code: string;

  @ApiProperty({ enum: DECISIONS, enumName: 'Decision', description: 'What an action without a decision decides.' })
  severity: Decision;

  @ApiProperty({ ...shape.count(1_000_000), description: 'What an action without a score adds.', example: 100 })
  score: number;

  @ApiProperty({ enum: RULE_SUBJECT_TYPES, enumName: 'RuleSubjectType', example: 'natural' })
  subject_type: Rule['subject_type'];

  @ApiProperty(DEFINITION_SCHEMA)
  definition: RuleDefinition;
}

/** A rule as it is sent. */
export class RuleBody extends RuleContent {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    maxLength: 2000,
    example: 'Menores de edad necesitan representante.',
  })
  description?: string | null;

  @ApiPropertyOptional({
    ...shape.count(),
    default: 0,
    description: 'Rules are evaluated, and findings listed, by position and then by code.',
    example: 10,
  })
  position?: number;
}

export class RuleView extends RuleContent {
  @ApiProperty({ ...shape.id('rul'), example: RULE_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.id('val'), example: VALIDATION_ID_EXAMPLE })
  validation_id: string;

  @ApiProperty({
    ...shape.text(2000),
    type: 'string',
    nullable: true,
    example: 'Menores de edad necesitan representante.',
  })
  description: string | null;

  @ApiProperty({ ...shape.count(), example: 10 })
  position: number;

  @ApiProperty({
    ...shape.text(66),
    description: 'Of its content: send it as If-Match with a change.',
    example: '"3f6a09d2b1c2d3e43f6a09d2b1c2d3e4"',
  })
  etag: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  updated_at: string;

  static of(row: RuleRow): RuleView {
    return {
      id: typeId('rul', row.id),
      validation_id: typeId('val', row.validation_id),
      code: row.code,
      severity: row.severity,
      score: row.score,
      subject_type: row.subject_type,
      description: row.description,
      position: row.position,
      definition: row.definition,
      etag: ruleEtag(row),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }
}

/** A rule as it was saved. */
export class SavedRuleView extends RuleView {
  @ApiProperty({ maxItems: MOST_PROBLEMS, type: () => [LintProblemView], description: 'What is probably not meant.' })
  warnings: LintProblemView[];

  static with(row: RuleRow, warnings: LintReport['warnings']): SavedRuleView {
    const viewed = warnings.slice(0, MOST_PROBLEMS).map((warning) => ({ ...warning, rule_code: row.code }));
    return { ...RuleView.of(row), warnings: viewed };
  }
}

export class RulePage extends PageOf(RuleView) {}
