import type { EventModule } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.webhook_endpoint. */
@Entity({ schema: 'platform', name: 'webhook_endpoint' })
export class WebhookEndpointRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** Of the endpoint that PUT registers; null for one that POST created. */
  @Column('text', { nullable: true }) module: EventModule | null;
  @Column('text') url: string;
  @Column('boolean') enabled: boolean;
  @Column('text', { array: true }) event_types: string[];
  @Column('text', { nullable: true }) description: string | null;
  @Column('text', { nullable: true }) disabled_reason: 'gone' | 'failing' | null;
  @Column('timestamptz', { nullable: true }) disabled_at: Date | null;
  @Column('timestamptz', { nullable: true }) announced_at: Date | null;
  @Column('timestamptz', { nullable: true }) notice_due_at: Date | null;
  @Column('integer') consecutive_failures: number;
  @Column('timestamptz', { nullable: true }) first_failure_at: Date | null;
  @Column('timestamptz', { nullable: true }) last_failure_at: Date | null;
  @Column('timestamptz', { nullable: true }) paused_until: Date | null;
  @Column('timestamptz', { nullable: true }) probe_until: Date | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
  /** Of one that POST created. */
  @Column('text', { array: true, nullable: true }) modules: EventModule[] | null;
  /** Sealed; of one that POST created. */
  @Column('bytea', { nullable: true }) webhook_secret: Buffer | null;
  @Column('bytea', { nullable: true }) previous_webhook_secret: Buffer | null;
  @Column('timestamptz', { nullable: true }) previous_webhook_secret_expires_at: Date | null;
  @Column('timestamptz', { nullable: true }) resumed_at: Date | null;
}
