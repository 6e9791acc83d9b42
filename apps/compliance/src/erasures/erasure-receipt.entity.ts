import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What compliance can have of a person, in the words of a receipt. */
export const ERASABLE = ['monitoring', 'dismissed_hits', 'stored_answers', 'screenings', 'cases'] as const;
export type Erasable = (typeof ERASABLE)[number];

/** A row of compliance.erasure_receipt. Ids are UUIDs. */
@Entity({ schema: 'compliance', name: 'erasure_receipt' })
export class ErasureReceipt {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text', { array: true }) subject_refs: string[];
  @Column('text') actor: string;
  @Column({ type: 'timestamptz', precision: 3 }) erased_at: Date;
  /** Receipts whose blocked data this one shows. */
  @Column('uuid', { array: true }) covers: string[];
  @Column('uuid', { array: true }) key_ids: string[];
  @Column('text', { array: true }) erased: Erasable[];
  @Column('text', { array: true }) kept: Erasable[];
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) kept_until: Date | null;
  /** When the legal duty was over and the keys were destroyed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
}
