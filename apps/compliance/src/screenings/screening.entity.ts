import type { Hit } from '@constancia/name-screening';
import type { ListCode } from '@constancia/reference-data';
import type { Decision, Facts, SubjectType } from '@constancia/rule-graph';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Trigger } from './screening-history.ts';

/** A hit that was dismissed before, as the store keeps it: a replay leaves it out again. */
export interface DismissedHit {
  list: Hit['list'];
  entry_id: string;
  party: string | null;
}

/** A screening as stored. `sealed` columns: personal data, with the key of subject_key_id; what they hold is empty in the clear. */
@Entity({ schema: 'compliance', name: 'screening' })
export class Screening {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') validation_id: string;
  @Column('text') validation_code: string;
  @Column('integer') validation_version: number;
  @Column('bytea') rules_hash: Buffer;
  @Column('text') subject_ref: string;
  @Column('text') subject_type: SubjectType;
  @Column('text') trigger: Trigger;
  @Column('uuid', { nullable: true }) request_id: string | null;
  @Column('text') decision: Decision;
  @Column('bigint') score: number;
  @Column('text', { array: true }) list_hits: ListCode[];
  @Column('jsonb') facts: Facts;
  @Column('jsonb') dismissed: DismissedHit[];
  /** Payload fields of names that could not be compared with the lists. */
  @Column('text', { array: true }) names_not_compared: string[];
  /** Canonical JSON of a ScreeningOutcome. */
  @Column('text') result: string;
  @Column('jsonb') list_versions: Partial<Record<ListCode, string>>;
  @Column('text') matcher_version: string;
  @Column('integer') evaluator_version: number;
  @Column('uuid', { nullable: true }) case_id: string | null;
  @Column('integer') credits_debited: number;
  @Column('timestamptz') created_at: Date;
  @Column('uuid', { nullable: true }) subject_key_id: string | null;
  @Column('bytea', { nullable: true }) sealed_payload: Buffer | null;
  @Column('bytea', { nullable: true }) sealed_facts: Buffer | null;
  @Column('bytea', { nullable: true }) sealed_result: Buffer | null;
  /** The receipt of the erasure that blocks it. */
  @Column('uuid', { nullable: true }) erasure_id: string | null;
  /** For monitored_subject, under the tenant's key: a trigger takes it out before the row is written. */
  @Column('bytea', { nullable: true }) monitored_payload: Buffer | null;
}
