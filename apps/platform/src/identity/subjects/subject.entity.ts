import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KycStatus } from './subject.ts';

/** A row of identity.subject. Ids are UUIDs. Nothing personal is in the clear. */
@Entity({ schema: 'identity', name: 'subject' })
export class Subject {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('text') kyc_status: KycStatus;
  @Column('text') document_type: string;
  @Column('text') document_country: string;
  @Column('bytea', { nullable: true }) document_number_hmac: Buffer | null;
  /** What `sealed` opens with, as KMS wrapped it. */
  @Column('bytea', { nullable: true }) wrapped_key: Buffer | null;
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  @Column('text', { array: true }) restrictive_list_hits: string[];
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) verified_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) decided_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) erased_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) legal_hold_until: Date | null;
}
