import { shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { MATCHER_VERSION } from '@constancia/name-screening';
import {
  type DataGap,
  DECISIONS,
  type Decision,
  type Finding,
  type SubjectPayload,
  SUBJECT_TYPES,
  type SubjectType,
} from '@constancia/rule-graph';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { CASE_ID_EXAMPLE, SCREENING_ID_EXAMPLE, VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import type { OutcomeHit, OutcomeNearMiss, ScreeningOutcome } from './assess.ts';
import { type Trigger, TRIGGERS } from './screening-history.ts';
import type { ListedScreening, ScreeningRow } from './sealed-screening.ts';

/** Fifty matches of the subject and of each party: fifty parties of each of three roles. */
const MOST_MATCHES_SHOWN = 7_550;
/** Every action of every rule: 500 rules of 200 nodes. */
const MOST_FINDINGS = 100_000;
/** The fact that each condition reads, and what is wrong with the subject and each party. */
const MOST_DATA_GAPS = 110_000;

/** An action that fired. */
export class FindingView implements Finding {
  @ApiProperty({ ...shape.ruleCode, example: 'SARLAFT-PEP-001' })
  rule_code: string;

  @ApiProperty({ ...shape.ruleCode, example: 'refer' })
  node_id: string;

  @ApiProperty({ enum: DECISIONS, enumName: 'Decision', example: 'review' })
  decision: Decision;

  @ApiProperty({ ...shape.count(), example: 50 })
  score: number;

  @ApiProperty({ ...shape.text(2000), example: 'Persona expuesta políticamente' })
  reason: string;
}

export class DataGapView implements DataGap {
  @ApiProperty({ ...shape.text(4000), description: 'A member of the payload, or a path in it.', example: 'currency' })
  field: string;

  @ApiProperty({
    enum: ['missing', 'conflict', 'invalid'],
    description: 'missing: not there; invalid: not what the field means; conflict: contradicts another field.',
  })
  kind: DataGap['kind'];
}

/** A match below the threshold of a hit. */
export class NearMissView implements OutcomeNearMiss {
  @ApiProperty({ enum: ALL_LIST_CODES, enumName: 'ListCode', example: 'PEP' })
  list: ListCode;

  @ApiProperty({ ...shape.listEntry.id, description: 'The list’s own identifier of the entry.', example: '36' })
  entry_id: string;

  @ApiProperty({ ...shape.listEntry.text, description: 'The entry’s primary name.', example: 'PÉREZ FICTICIO, Juan' })
  name: string;

  @ApiProperty({
    ...shape.listEntry.text,
    description: 'The entry’s name that came closest.',
    example: 'Juan Pérez Ficticio',
  })
  matched_name: string;

  @ApiProperty({ minimum: 0, maximum: 1, description: '1 only with an identifier that agrees.', example: 0.93 })
  score: number;

  @ApiProperty({
    ...shape.text(256),
    type: 'string',
    nullable: true,
    description: 'Whose match: JSON Pointer of the related party in the payload; null: the subject’s own.',
    example: null,
  })
  party: string | null;
}

/** An entry of a list that the subject, or a party behind it, may be. */
export class HitView extends NearMissView implements OutcomeHit {
  @ApiProperty({
    maxItems: shape.listEntry.programmes,
    type: 'array',
    items: { type: 'string', ...shape.listEntry.text },
    description: 'Sanctions programmes.',
    example: ['SDGT'],
  })
  programmes: string[];

  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: { title: { type: 'string', ...shape.listEntry.text }, until: { type: 'string', format: 'date' } },
    selfRequired: true,
    required: ['title'],
    description: 'Of a politically exposed person: the office, and the day that it ended.',
  })
  role: OutcomeHit['role'];

  @ApiProperty({ description: 'A document number agrees.', example: false })
  identifier_matched: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Why the score is what it is: the names word by word, birth date, country and identifier with their verdicts, and what ' +
      'held the score down.',
  })
  evidence: OutcomeHit['evidence'];
}

const VERSIONS_DOC = {
  type: 'object',
  additionalProperties: { type: 'string', ...shape.listVersion },
  description: 'Version of each list that was looked at.',
  example: { OFAC: '1-3f6a09d2', ONU: '4-b1c2d3e4' },
} as const;

/** What a screening finds. */
@ApiExtraModels(FindingView)
export class OutcomeView implements ScreeningOutcome {
  @ApiProperty({
    enum: DECISIONS,
    enumName: 'Decision',
    description: 'The most severe of the findings; approve without any.',
  })
  decision: Decision;

  @ApiProperty({ ...shape.wide, description: 'The sum of the findings’ scores.', example: 50 })
  score: number;

  @ApiProperty({ maxItems: MOST_FINDINGS, type: () => [FindingView] })
  findings: FindingView[];

  @ApiProperty({
    maxItems: ALL_LIST_CODES.length,
    enum: ALL_LIST_CODES,
    enumName: 'ListCode',
    isArray: true,
    description: 'Lists with a hit of the subject itself.',
  })
  list_hits: ListCode[];

  @ApiProperty({ maxItems: MOST_MATCHES_SHOWN, type: () => [HitView] })
  hits: HitView[];

  @ApiProperty({ maxItems: MOST_MATCHES_SHOWN, type: () => [NearMissView] })
  near_misses: NearMissView[];

  @ApiProperty({
    maxItems: MOST_DATA_GAPS,
    type: () => [DataGapView],
    description: 'What could not be judged, and why.',
  })
  data_gaps: DataGapView[];

  @ApiProperty(VERSIONS_DOC)
  list_versions: Partial<Record<ListCode, string>>;
}

export class ScreeningView extends OutcomeView {
  @ApiProperty({ ...shape.id('scr'), example: SCREENING_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.id('val'), example: VALIDATION_ID_EXAMPLE })
  validation_id: string;

  @ApiProperty({ ...shape.code, example: 'default' })
  validation_code: string;

  @ApiProperty({ ...shape.ordinal, example: 1 })
  validation_version: number;

  @ApiProperty({ ...shape.text(200), description: 'The caller’s own reference, as given.', example: 'customer-417' })
  subject_ref: string;

  @ApiProperty({ enum: SUBJECT_TYPES, enumName: 'SubjectType', example: 'natural' })
  subject_type: SubjectType;

  @ApiProperty({
    enum: TRIGGERS,
    enumName: 'ScreeningTrigger',
    description: 'api: asked for; identity: a step of an identity flow; list_update: a list changed.',
  })
  trigger: Trigger;

  @ApiProperty({ ...shape.text(32), description: 'Of the name matching.', example: MATCHER_VERSION })
  matcher_version: string;

  @ApiProperty({
    ...shape.id('cas'),
    type: 'string',
    nullable: true,
    description: 'The case that it opened or was attached to.',
    example: CASE_ID_EXAMPLE,
  })
  case_id: string | null;

  @ApiProperty({ ...shape.count(), example: 8 })
  credits_debited: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  static of(screening: Omit<ListedScreening, 'tenant_id' | 'rules_hash'>, outcome: ScreeningOutcome): ScreeningView {
    return {
      id: typeId('scr', screening.id),
      validation_id: typeId('val', screening.validation_id),
      validation_code: screening.validation_code,
      validation_version: screening.validation_version,
      subject_ref: screening.subject_ref,
      subject_type: screening.subject_type,
      trigger: screening.trigger,
      ...outcome,
      matcher_version: screening.matcher_version,
      case_id: screening.case_id && typeId('cas', screening.case_id),
      credits_debited: screening.credits_debited,
      created_at: screening.created_at.toISOString(),
    };
  }
}

/** A screening with what it was made from. */
export class ScreeningDetailView extends ScreeningView {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What was said of the subject, as given.' })
  payload: SubjectPayload;

  static ofRow(row: ScreeningRow): ScreeningDetailView {
    return { ...ScreeningView.of(row, JSON.parse(row.result) as ScreeningOutcome), payload: row.facts.payload };
  }
}

export class ScreeningPage extends PageOf(ScreeningView) {
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'Screenings of up to then are archived and not in this list, but for those that something still refers to (a monitored subject, a ' +
      'case). null: none is archived.',
  })
  archived_until: string | null;
}
