import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A token that recovers an API key, once. */
@Entity({ schema: 'platform', name: 'recovery_token' })
export class RecoveryToken {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea') token_hash: Buffer;
  @Column('uuid') tenant_id: string;
  @Column('timestamptz') expires_at: Date;
  @Column('timestamptz', { nullable: true }) used_at: Date | null;
  @Column('timestamptz') created_at: Date;
}
