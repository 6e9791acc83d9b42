import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const CLIENT_TYPES = ['web', 'spa', 'native'] as const;
export const CLIENT_AUTH_METHODS = ['none', 'client_secret_basic', 'private_key_jwt'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];
export const CLIENT_SCOPES = ['openid', 'profile', 'email', 'kyc', 'offline_access'] as const;
export type ClientScope = (typeof CLIENT_SCOPES)[number];

/** A row of identity.oidc_client: a relying party of a tenant. */
@Entity({ schema: 'identity', name: 'oidc_client' })
export class OidcClient {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') name: string;
  @Column('text') type: ClientType;
  @Column('text') token_endpoint_auth_method: ClientAuthMethod;
  @Column('bytea', { nullable: true }) secret_sha256: Buffer | null;
  /** The former secret, which is accepted until then. */
  @Column('bytea', { nullable: true }) previous_secret_sha256: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) previous_secret_expires_at: Date | null;
  @Column('jsonb', { nullable: true }) jwks: { keys: JWK[] } | null;
  @Column('text', { array: true }) redirect_uris: string[];
  @Column('text', { array: true }) post_logout_redirect_uris: string[];
  @Column('text', { array: true }) scopes: ClientScope[];
  @Column('boolean') dpop_required: boolean;
  @Column('boolean') par_required: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
