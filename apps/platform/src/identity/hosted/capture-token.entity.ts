import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.capture_token. */
@Entity({ schema: 'identity', name: 'capture_token' })
export class CaptureToken {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') session_id: string;
  @Column('bytea') token_hash: Buffer;
  /** handover: a link that no device has opened. */
  @Column('text') kind: 'device' | 'handover';
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
}
