import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where the trail of an envelope is, and its head there. Events that came later are in the database. Never altered. */
@Entity({ schema: 'signing', name: 'archived_trail' })
export class ArchivedTrail {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('uuid') envelope_id: string;
  @Column('uuid') archive_id: string;
  /** Number of its first event among the rows of the tenant's files. */
  @Column('bigint') first_row: number;
  /** So many, from the first one on. */
  @Column('integer') events: number;
  @Column('text') head_hash: string;
  /** Row of subject_key. */
  @Column('uuid') key_id: string;
}
