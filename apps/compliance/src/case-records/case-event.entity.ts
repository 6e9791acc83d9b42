import { ChainedRow } from '@constancia/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event of the timeline of a case. */
@Entity({ schema: 'compliance', name: 'case_event' })
export class CaseEventRow extends ChainedRow {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') case_id: string;
  @Column('text', { nullable: true }) actor: string | null;
  @Column('text', { nullable: true }) from: string | null;
  @Column('text', { nullable: true }) to: string | null;
  /** Personal data of the event, which is not hashed. */
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
}
