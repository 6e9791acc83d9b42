import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import { CASE_ID_EXAMPLE, SCREENING_ID_EXAMPLE } from '../example-ids.ts';
import { CASE_PRIORITIES, type CasePriority } from '../case-records/case-priority.ts';
import { CASE_STATUSES, type CaseStatus } from '../case-records/case-states.ts';
import { CASE_DECISIONS, type CaseDecision } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

const DATE_TIME_OR_NULL = { type: 'string', format: 'date-time', nullable: true } as const;
const TEXT_OR_NULL = { type: 'string', nullable: true } as const;

export class CaseResolutionView {
  @ApiProperty({ enum: CASE_DECISIONS, enumName: 'CaseDecision', example: 'approve' })
  decision: CaseDecision;

  @ApiProperty({ ...shape.text(4000), example: 'Different birth date and document.' })
  reason: string;

  @ApiProperty({ ...shape.text(128), description: 'Who decided; with four eyes, who proposed.' })
  resolved_by: string;

  @ApiProperty({ ...shape.text(128), ...TEXT_OR_NULL, description: 'The second person, where one was needed.' })
  approved_by: string | null;

  @ApiProperty({ format: 'date-time' })
  resolved_at: string;
}

export class CaseProposalView {
  @ApiProperty({ enum: CASE_DECISIONS, enumName: 'CaseDecision', example: 'approve' })
  decision: CaseDecision;

  @ApiProperty(shape.text(4000))
  reason: string;

  @ApiProperty({ ...shape.text(128), description: 'Who proposed it: somebody else confirms or returns it.' })
  proposed_by: string;

  @ApiProperty({ format: 'date-time' })
  proposed_at: string;
}

/** A case as a list shows it. */
export class CaseView {
  @ApiProperty({ ...shape.id('cas'), example: CASE_ID_EXAMPLE })
  id: string;

  @ApiProperty({ enum: CASE_STATUSES, enumName: 'CaseStatus', example: 'open' })
  status: CaseStatus;

  @ApiProperty({ enum: CASE_PRIORITIES, enumName: 'CasePriority', example: 'high' })
  priority: CasePriority;

  @ApiProperty({
    ...shape.text(200),
    description: 'The reference that the screening was made with.',
    example: 'customer-4711',
  })
  subject_ref: string;

  @ApiProperty({
    ...shape.text(1_000),
    ...TEXT_OR_NULL,
    description: 'The name that the last screening was made with; null when it named nobody.',
    example: 'ERNESTO FICTISIO EJEMPLO',
  })
  subject_name: string | null;

  @ApiProperty({ enum: ['natural', 'legal'] })
  subject_type: 'natural' | 'legal';

  @ApiProperty({ ...shape.code, example: 'default' })
  validation_code: string;

  @ApiProperty({ ...shape.ordinal, description: 'Of the last screening.' })
  validation_version: number;

  @ApiProperty({
    ...shape.id('scr'),
    description: 'The screening that opened the case.',
    example: SCREENING_ID_EXAMPLE,
  })
  screening_id: string;

  @ApiProperty({
    ...shape.id('scr'),
    description: 'The last screening that was attached to it.',
    example: SCREENING_ID_EXAMPLE,
  })
  last_screening_id: string;

  @ApiProperty({ enum: ['review', 'reject'], description: 'The worst of its screenings.' })
  screening_decision: 'review' | 'reject';

  @ApiProperty({ ...shape.wide, description: 'The highest of its screenings.' })
  screening_score: number;

  @ApiProperty({ maxItems: ALL_LIST_CODES.length, enum: ALL_LIST_CODES, isArray: true })
  list_hits: ListCode[];

  @ApiProperty({
    maxItems: 500,
    type: 'array',
    items: { type: 'string', ...shape.ruleCode },
    example: ['SARLAFT-PEP-001'],
  })
  rules_fired: string[];

  @ApiProperty({ ...shape.text(128), ...TEXT_OR_NULL, example: 'ana.analyst' })
  assignee: string | null;

  @ApiProperty({ format: 'date-time' })
  opened_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it should be resolved: by priority.' })
  due_at: string;

  @ApiProperty({ description: 'Not resolved, and past due_at.' })
  overdue: boolean;

  @ApiProperty({ ...DATE_TIME_OR_NULL, description: 'When it was found to be overdue first.' })
  sla_breached_at: string | null;

  @ApiProperty({ ...DATE_TIME_OR_NULL })
  escalated_at: string | null;

  @ApiProperty(shape.count())
  reopened_count: number;

  @ApiProperty({ type: CaseResolutionView, nullable: true })
  resolution: CaseResolutionView | null;

  @ApiProperty({ type: CaseProposalView, nullable: true, description: 'While the case waits for a second person.' })
  proposal: CaseProposalView | null;

  @ApiProperty({
    pattern: '^ROS-[0-9]{4}-[0-9A-Z]{12}$',
    ...TEXT_OR_NULL,
    description: 'Of the ROS draft, where there is one.',
    example: 'ROS-2026-0R7WQ2M4XABC',
  })
  ros_reference: string | null;

  static of(found: ReviewCase, now: Date = new Date()): CaseView {
    return {
      id: typeId('cas', found.id),
      status: found.status,
      priority: found.priority,
      subject_ref: found.subject_ref,
      subject_name: found.subject.full_name ?? null,
      subject_type: found.subject_type,
      validation_code: found.validation_code,
      validation_version: found.validation_version,
      screening_id: typeId('scr', found.screening_id),
      last_screening_id: typeId('scr', found.last_screening_id),
      screening_decision: found.screening_decision,
      screening_score: found.screening_score,
      list_hits: found.list_hits,
      rules_fired: found.rules_fired,
      assignee: found.assignee,
      opened_at: found.opened_at.toISOString(),
      due_at: found.due_at.toISOString(),
      overdue: found.status !== 'resolved' && found.due_at <= now,
      sla_breached_at: found.sla_breached_at?.toISOString() ?? null,
      escalated_at: found.escalated_at?.toISOString() ?? null,
      reopened_count: found.reopened_count,
      resolution: resolutionOf(found),
      proposal: proposalOf(found),
      ros_reference: found.ros_reference,
    };
  }
}

export class CasePage {
  @ApiProperty({ maxItems: 100, type: [CaseView] })
  data: CaseView[];

  @ApiProperty({
    ...shape.cursor,
    type: String,
    nullable: true,
    description: 'Send it as cursor to get the next page; null on the last.',
  })
  next_cursor: string | null;
}

function resolutionOf(found: ReviewCase): CaseResolutionView | null {
  if (found.resolved_at === null || found.decision === null) return null;
  return {
    decision: found.decision,
    reason: found.decision_reason ?? '',
    resolved_by: found.resolved_by ?? '',
    approved_by: found.four_eyes_approver,
    resolved_at: found.resolved_at.toISOString(),
  };
}

function proposalOf({ proposal }: ReviewCase): CaseProposalView | null {
  if (proposal === null) return null;
  const { decision, reason, proposed_by, proposed_at } = proposal;
  return { decision, reason, proposed_by, proposed_at };
}
