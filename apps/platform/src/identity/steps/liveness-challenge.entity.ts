import type { Pose } from '@constancia/face-matching';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.liveness_challenge. */
@Entity({ schema: 'identity', name: 'liveness_challenge' })
export class LivenessChallenge {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') session_id: string;
  @Column('text', { array: true }) poses: Pose[];
  @Column({ type: 'timestamptz', precision: 3 }) issued_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) used_at: Date | null;
}
