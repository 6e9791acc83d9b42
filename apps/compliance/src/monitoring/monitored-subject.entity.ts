import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A subject that is screened again when a list changes. */
@Entity({ schema: 'compliance', name: 'monitored_subject' })
export class MonitoredSubject {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('text') validation_code: string;
  @PrimaryColumn('text') subject_type: string;
  @PrimaryColumn('text') subject_ref: string;
  @Column('uuid') screening_id: string;
  @Column('timestamptz') screened_at: Date;
  @Column('text') payload: string;
  @Column('bytea', { nullable: true }) sealed_payload: Buffer | null;
}
