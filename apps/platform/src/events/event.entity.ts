import type { EventModule } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.event, in a partition per day of its id. */
@Entity({ schema: 'platform', name: 'event' })
export class EventRow {
  @PrimaryColumn('uuid') event_id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') module: EventModule;
  @Column('text') event_type: string;
  @Column('timestamptz') occurred_at: Date;
  /** The exact bytes that receivers get. */
  @Column('text') body: string;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('text', { nullable: true }) external_ref: string | null;
  /** Of a test: no other endpoint gets it. */
  @Column('uuid', { nullable: true }) only_endpoint_id: string | null;
}
