import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest snapshot of a payment of a top-up that was read from the provider. */
@Entity({ schema: 'platform', name: 'topup_payment' })
export class TopupPayment {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') topup_id: string;
  @PrimaryColumn('text') payment_id: string;
  @Column('text') status: string;
  @Column('text') status_detail: string;
  @Column('text') currency: string;
  @Column('bigint') amount_cents: number;
  @Column('bigint') refunded_cents: number;
  @Column({ type: 'timestamptz', precision: 3 }) provider_updated_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) seen_at: Date;
}
