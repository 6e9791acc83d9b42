import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TokenKeySet, TokenKeyState } from './token-key-sets.ts';

/** A row of identity.token_key: a key pair on P-256 that tokens of one class are signed with (ES256). */
@Entity({ schema: 'identity', name: 'token_key' })
export class TokenKey {
  /** The JWK thumbprint (RFC 7638). */
  @PrimaryColumn('text') kid: string;
  @Column('text') key_set: TokenKeySet;
  @Column('text') state: TokenKeyState;
  @Column('jsonb') public_jwk: JWK;
  /** What `sealed_private` opens with, as KMS wrapped it. */
  @Column('bytea', { nullable: true }) wrapped_key: Buffer | null;
  /** PKCS #8; null once the key is retired. */
  @Column('bytea', { nullable: true }) sealed_private: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3 }) published_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) current_since: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) retired_at: Date | null;
}
