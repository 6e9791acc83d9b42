import { Column, PrimaryColumn } from 'typeorm';

/** What the rows of every hash chain have (hashChain): the entity of a chain adds its owner and the members of its own. */
export abstract class ChainedRow {
  @PrimaryColumn('integer') seq: number;
  @Column('text') type: string;
  @Column({ type: 'timestamptz', precision: 3 }) at: Date;
  /** Canonical JSON of an object. */
  @Column('text') data: string;
  @Column('text') prev_hash: string;
  @Column('text') hash: string;
}
