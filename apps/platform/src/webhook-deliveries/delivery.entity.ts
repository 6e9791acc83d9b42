import type { EventModule } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.delivery: an event that an endpoint is to get. */
@Entity({ schema: 'platform', name: 'delivery' })
export class DeliveryRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') event_id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') endpoint_id: string;
  @Column('text') module: EventModule;
  @Column('text') event_type: string;
  @Column('text') status: 'pending' | 'delivering' | 'delivered' | 'failed';
  @Column('integer') attempts: number;
  @Column('integer') schedule_step: number;
  @Column('timestamptz', { nullable: true }) next_attempt_at: Date | null;
  @Column('uuid', { nullable: true }) lease_token: string | null;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('uuid', { nullable: true }) replay_run_id: string | null;
  @Column('integer', { nullable: true }) last_http_status: number | null;
  @Column('text', { nullable: true }) last_error: string | null;
  @Column('timestamptz', { nullable: true }) last_attempt_at: Date | null;
  @Column('timestamptz', { nullable: true }) delivered_at: Date | null;
  @Column('timestamptz', { nullable: true }) failed_at: Date | null;
  @Column('timestamptz') created_at: Date;
}
