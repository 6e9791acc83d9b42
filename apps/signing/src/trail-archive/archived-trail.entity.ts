import { ArchivedChain } from '@constancia/archives';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where the trail of an envelope is, and its head there. */
@Entity({ schema: 'signing', name: 'archived_trail' })
export class ArchivedTrail extends ArchivedChain {
  @PrimaryColumn('uuid') envelope_id: string;
  /** Row of subject_key. */
  @Column('uuid') key_id: string;
}
