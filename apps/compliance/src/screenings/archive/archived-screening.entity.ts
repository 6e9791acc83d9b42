import type { Decision, SubjectType } from '@constancia/rule-graph';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Trigger } from '../screening-history.ts';

/** What is looked up of a screening without the file that it is archived in. */
@Entity({ schema: 'compliance', name: 'archived_screening' })
export class ArchivedScreening {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** Its number among the archived ones of the tenant: the file has those from_seq to through_seq. */
  @Column('bigint') seq: number;
  @Column('text') validation_code: string;
  @Column('text') subject_type: SubjectType;
  @Column('text') subject_ref: string;
  @Column('text') trigger: Trigger;
  @Column('text') decision: Decision;
  @Column('integer') credits_debited: number;
  @Column('timestamptz') created_at: Date;
  /** The receipt of the erasure that blocks it. */
  @Column('uuid', { nullable: true }) erasure_id: string | null;
}
