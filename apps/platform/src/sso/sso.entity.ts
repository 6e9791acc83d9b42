import type { Role } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The roles that a provider's groups stand for, by group. Never owner. */
export type RoleMap = Record<string, Exclude<Role, 'owner'>>;

/** A row of platform.sso: the OpenID provider of a tenant. */
@Entity({ schema: 'platform', name: 'sso' })
export class Sso {
  @PrimaryColumn('uuid') tenant_id: string;
  /** Another one after each change. */
  @Column('uuid') version: string;
  @Column('text') issuer: string;
  @Column('text') client_id: string;
  /** Sealed. */
  @Column('bytea') client_secret: Buffer;
  /** In lower case. */
  @Column('text', { array: true }) domains: string[];
  @Column('text', { nullable: true }) role_claim: string | null;
  @Column('jsonb', { nullable: true }) role_map: RoleMap | null;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
