import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.signer_check: the session of a signer of the signing module. */
@Entity({ schema: 'identity', name: 'signer_check' })
export class SignerCheck {
  /** UUID of the check in the signing module. */
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') tenant_id: string;
  /** Null: cancelled before it was opened. */
  @Column('uuid', { nullable: true }) session_id: string | null;
  /** SecretBox: the address of the capture page, until the signing module has it or the person cannot go on. */
  @Column('bytea', { nullable: true }) capture_sealed: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
}
