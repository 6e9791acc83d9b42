import { Column, PrimaryColumn } from 'typeorm';

/** Where a chain is that was archived, and its head there. Links that came later are in the database. Never altered. An entity adds the owner. */
export abstract class ArchivedChain {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('uuid') archive_id: string;
  /** Number of its first link among the rows of the tenant's files. */
  @Column('bigint') first_row: number;
  /** So many, from the first one on. */
  @Column('integer') events: number;
  @Column('text') head_hash: string;
}
