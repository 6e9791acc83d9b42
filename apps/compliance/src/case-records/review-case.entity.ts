import type { ListCode } from '@constancia/reference-data';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CasePriority } from './case-priority.ts';
import type { CaseStatus } from './case-states.ts';
import type { CaseHit, CaseSubject } from './noticed-screening.ts';
import type { CaseDecision, Proposal, RosDraft } from './review-case.ts';

/** A row of compliance.review_case. Ids are UUIDs. */
@Entity({ schema: 'compliance', name: 'review_case' })
export class ReviewCase {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') subject_ref: string;
  @Column('text') subject_type: 'natural' | 'legal';
  @Column('text') validation_code: string;
  @Column('integer') validation_version: number;
  @Column('uuid') screening_id: string;
  @Column('uuid') last_screening_id: string;
  @Column('uuid', { nullable: true }) request_id: string | null;
  @Column('text') screening_decision: 'review' | 'reject';
  @Column('bigint') screening_score: number;
  @Column('text', { array: true }) rules_fired: string[];
  @Column('text', { array: true }) list_hits: ListCode[];
  @Column('jsonb') list_versions: Record<string, string>;
  @Column('jsonb') subject: CaseSubject;
  @Column('jsonb') hits: CaseHit[];
  @Column('text') status: CaseStatus;
  @Column('text') priority: CasePriority;
  @Column('text', { nullable: true }) assignee: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) opened_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) due_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) sla_breached_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) resolved_at: Date | null;
  @Column('text', { nullable: true }) decision: CaseDecision | null;
  @Column('text', { nullable: true }) decision_reason: string | null;
  @Column('text', { nullable: true }) resolved_by: string | null;
  @Column('text', { nullable: true }) four_eyes_approver: string | null;
  @Column('jsonb', { nullable: true }) proposal: Proposal | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) escalated_at: Date | null;
  @Column('text', { nullable: true }) escalation_reason: string | null;
  @Column('integer') reopened_count: number;
  @Column('text', { nullable: true }) ros_reference: string | null;
  @Column('jsonb', { nullable: true }) ros_draft: RosDraft | null;
  @Column('integer') head_seq: number;
  @Column('text') head_hash: string;
  @Column('integer') anchored_seq: number;
  @Column('integer') version: number;
  @Column('uuid', { nullable: true }) subject_key_id: string | null;
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  @Column('uuid', { nullable: true }) erasure_id: string | null;
  /** What nameWords makes of the subject's name; null until the sweep of words comes by. */
  @Column('text', { array: true, nullable: true }) name_words: string[] | null;
  /** The due_at of which members were notified that it comes near. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) due_soon_noted: Date | null;
}

/** Columns that an action may change. */
// prettier-ignore
export type CaseColumns = Partial<Pick<ReviewCase,
  | 'status' | 'priority' | 'assignee' | 'due_at' | 'resolved_at' | 'decision' | 'decision_reason' | 'resolved_by'
  | 'four_eyes_approver' | 'proposal' | 'escalated_at' | 'escalation_reason' | 'reopened_count' | 'ros_reference' | 'ros_draft'
>>;
