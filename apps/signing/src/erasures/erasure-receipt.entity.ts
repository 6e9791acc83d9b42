import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What signing can have of a person, in the words of a receipt. */
export const ERASABLE = ['merge_data', 'signers', 'sealed_documents', 'envelope_trails'] as const;
export type Erasable = (typeof ERASABLE)[number];

/** A row of signing.erasure_receipt. Ids are UUIDs. */
@Entity({ schema: 'signing', name: 'erasure_receipt' })
export class ErasureReceipt {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text', { array: true }) subject_refs: string[];
  @Column('uuid', { array: true }) signer_ids: string[];
  /** Keyed digest of the address that was erased. */
  @Column('bytea', { nullable: true }) email_index: Buffer | null;
  @Column('text') actor: string;
  @Column('timestamptz') erased_at: Date;
  @Column('text', { array: true }) erased: Erasable[];
  @Column('text', { array: true }) kept: Erasable[];
  /** null: a document of the person is being sealed. */
  @Column('timestamptz', { nullable: true }) settled_at: Date | null;
}
