import type { Scope } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.api_key: one secret of a key. */
@Entity({ schema: 'platform', name: 'api_key' })
export class ApiKey {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** SHA-256 of the key. */
  @Column('bytea') key_hash: Buffer;
  /** How the key begins. */
  @Column('text') prefix: string;
  @Column('text') name: string;
  /** Null: every scope. */
  @Column('text', { array: true, nullable: true }) scopes: Scope[] | null;
  /** In CIDR notation; null: every network. */
  @Column('text', { array: true, nullable: true }) allowed_cidrs: string[] | null;
  @Column('text') status: 'active' | 'expiring' | 'revoked';
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) rotated_at: Date | null;
  /** The key that this is a secret of: rotations keep it. */
  @Column('uuid', { nullable: true }) key_id: string;
  /** The key of the sign-up. */
  @Column('boolean') is_default: boolean;
  @Column('jsonb', { nullable: true }) created_by: KeyCreator | null;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
}

/** Who created a key. */
export interface KeyCreator {
  kind: 'key' | 'member';
  /** As the API shows it. */
  id: string;
  name: string;
}
