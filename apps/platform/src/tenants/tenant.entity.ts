import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Locale } from '../locale.ts';

/** A row of platform.tenant. */
@Entity({ schema: 'platform', name: 'tenant' })
export class TenantRow {
  @PrimaryColumn('uuid') id: string;
  @Column('text') slug: string;
  @Column('text') display_name: string;
  @Column('text') owner_email: string;
  @Column('text') plan: 'sandbox' | 'standard';
  @Column('text') environment: 'sandbox' | 'production';
  @Column('text') locale: Locale;
  /** Sealed. */
  @Column('bytea') webhook_secret: Buffer;
  @Column('bytea', { nullable: true }) previous_webhook_secret: Buffer | null;
  @Column('timestamptz', { nullable: true }) previous_webhook_secret_expires_at: Date | null;
  @Column('timestamptz', { nullable: true }) webhook_secret_rotated_at: Date | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) owner_email_verified_at: Date | null;
  /** #rrggbb */
  @Column('text', { nullable: true }) brand_color: string | null;
  /** Since when operators have it suspended. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) suspended_at: Date | null;
}
