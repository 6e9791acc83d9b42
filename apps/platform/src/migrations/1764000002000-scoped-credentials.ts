import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys with a name, scopes and networks, and one function that resolves every credential of a principal. Null scopes: every scope, also
 * those that a later release adds.
 */
export class ScopedCredentials1764000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, RESOLVE_API_KEY, RESOLVE_CREDENTIAL, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const COLUMNS = `
  alter table platform.api_key
    add column name text not null default 'default' check (length(name) between 1 and 100),
    add column scopes text[],
    add column allowed_cidrs text[] check (cardinality(allowed_cidrs) between 1 and 50)`;

/** For processes of the former release, which know neither scopes nor networks: keys that have such limits do not exist for them. */
const RESOLVE_API_KEY = `
  create or replace function platform_v1.resolve_api_key(p_hash bytea)
  returns table (key_id uuid, tenant_id uuid, key_hash bytea, key_prefix text, slug text, display_name text, plan text,
                 environment text, expires_at timestamptz)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select k.id, t.id, k.key_hash, k.prefix, t.slug, t.display_name, t.plan, t.environment, k.expires_at
      from platform.api_key k join platform.tenant t on t.id = k.tenant_id
     where k.key_hash = p_hash and k.status <> 'revoked' and (k.expires_at is null or k.expires_at > now())
       and k.scopes is null and k.allowed_cidrs is null
  $$`;

const RESOLVE_CREDENTIAL = `
  create function platform_v1.resolve_credential(p_kind text, p_hash bytea)
  returns table (principal_id uuid, name text, hash bytea, prefix text, scopes text[], allowed_cidrs text[], in_grace boolean, role text,
                 session_id uuid, tenant_id uuid, slug text, display_name text, plan text, environment text, expires_at timestamptz)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select k.id, k.name, k.key_hash, k.prefix, k.scopes, k.allowed_cidrs, k.status = 'expiring', null::text, null::uuid,
           t.id, t.slug, t.display_name, t.plan, t.environment, k.expires_at
      from platform.api_key k join platform.tenant t on t.id = k.tenant_id
     where p_kind = 'key' and k.key_hash = p_hash and k.status <> 'revoked' and (k.expires_at is null or k.expires_at > now())
  $$`;

const GRANTS = `
  revoke all on function platform_v1.resolve_credential from public;
  grant execute on function platform_v1.resolve_credential to platform_app, identity_app, identity_owner, compliance_app, compliance_owner,
    signing_app, signing_owner`;
