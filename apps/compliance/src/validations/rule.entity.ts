import type { Decision, Rule, RuleDefinition } from '@constancia/rule-graph';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A rule as stored. */
@Entity({ schema: 'compliance', name: 'rule' })
export class RuleRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') validation_id: string;
  @Column('text') code: string;
  @Column('text') severity: Decision;
  @Column('integer') score: number;
  @Column('text') subject_type: Rule['subject_type'];
  @Column('text', { nullable: true }) description: string | null;
  @Column('bigint') position: number;
  @Column('jsonb') definition: RuleDefinition;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
}
