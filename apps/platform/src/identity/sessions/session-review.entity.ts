import type { Actor } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.session_review: what one person decided about a session. Ids are UUIDs. */
@Entity({ schema: 'identity', name: 'session_review' })
export class SessionReview {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') session_id: string;
  @Column('text') decision: 'approve' | 'reject';
  @Column('text') actor: string;
  /** The principal; null in reviews that a process of the former release wrote. */
  @Column('jsonb', { nullable: true }) by: Actor | null;
  @Column('bytea', { nullable: true }) sealed_reason: Buffer | null;
  @Column('text') status: 'asked' | 'waiting' | 'decided' | 'refused' | 'superseded';
  /** Why the compliance module refuses it. */
  @Column('text', { nullable: true }) detail: string | null;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('timestamptz', { nullable: true }) asked_at: Date | null;
  @Column('integer') asks: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
}
