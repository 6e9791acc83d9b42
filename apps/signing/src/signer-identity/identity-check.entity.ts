import type { IdentityEvidence, SignerIdentityRefusal } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IdentityStatus } from './identity-states.ts';

/** A row of signing.identity_check: the present check of a signer's identity. */
@Entity({ schema: 'signing', name: 'identity_check' })
export class IdentityCheck {
  @PrimaryColumn('uuid') signer_id: string;
  @Column('uuid') tenant_id: string;
  /** What the identity module knows it by. */
  @Column('uuid') id: string;
  @Column('text') status: IdentityStatus;
  /** Why it was refused, or cannot go on at present; for the sender. */
  @Column('text', { nullable: true }) reason: SignerIdentityRefusal | null;
  /** SHA-256 of what the browser holds that started it. */
  @Column('bytea') claim_hash: Buffer;
  /** SecretBox: the SignerIdentityRequest, until it is answered. */
  @Column('bytea', { nullable: true }) request_sealed: Buffer | null;
  /** SecretBox: the address at which the person goes on, while the check is under way. */
  @Column('bytea', { nullable: true }) capture_sealed: Buffer | null;
  @Column('jsonb', { nullable: true }) verified: IdentityEvidence | null;
  @Column('timestamptz', { array: true }) starts: Date[];
  /** When the identity module was asked last. */
  @Column('timestamptz') asked_at: Date;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) settled_at: Date | null;
}
