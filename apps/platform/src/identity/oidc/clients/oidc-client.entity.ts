import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const CLIENT_TYPES = ['web', 'spa', 'native'] as const;
export const CLIENT_AUTH_METHODS = ['none', 'client_secret_basic', 'private_key_jwt'] as const;
export const CLIENT_SCOPES = ['openid', 'profile', 'email', 'kyc', 'offline_access'] as const;

/** A row of identity.oidc_client: a relying party of a tenant. */
@Entity({ schema: 'identity', name: 'oidc_client' })
export class OidcClient {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') name: string;
  @Column('text') type: (typeof CLIENT_TYPES)[number];
  @Column('text') token_endpoint_auth_method: (typeof CLIENT_AUTH_METHODS)[number];
  @Column('bytea', { nullable: true }) secret_sha256: Buffer | null;
  @Column('jsonb', { nullable: true }) jwks: { keys: JWK[] } | null;
  @Column('text', { array: true }) redirect_uris: string[];
  @Column('text', { array: true }) post_logout_redirect_uris: string[];
  @Column('text', { array: true }) scopes: string[];
  @Column('boolean') dpop_required: boolean;
  @Column('boolean') par_required: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
