import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.delivery_attempt, in a partition per day of its id. */
@Entity({ schema: 'platform', name: 'delivery_attempt' })
export class DeliveryAttemptRow {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') delivery_id: string;
  @Column('uuid') tenant_id: string;
  @Column('integer') number: number;
  @Column('timestamptz') at: Date;
  @Column('integer') duration_ms: number;
  @Column('integer', { nullable: true }) first_byte_ms: number | null;
  @Column('text') url: string;
  @Column('integer', { nullable: true }) http_status: number | null;
  @Column('text', { nullable: true }) error_code: string | null;
  @Column('text', { nullable: true }) error_detail: string | null;
  @Column('text', { nullable: true }) response_excerpt: string | null;
}
