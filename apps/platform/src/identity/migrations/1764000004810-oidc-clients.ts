import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The relying parties of tenants, and what was released to them. */
export class IdentityOidcClients1764000004810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      CLIENT,
      tenantTable('identity', 'oidc_client', ['select', 'insert', 'update', 'delete']),
      RELEASE,
      tenantTable('identity', 'oidc_release', ['select', 'insert']),
      OF_GRANT,
      tenantTable('identity', 'oidc_grant_release', ['select', 'insert', 'update']),
      SIGNED_OUT,
      FIND,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** secret_sha256: of 256 random bits, which nobody can guess, so that a slow hash adds nothing. */
const CLIENT = `
  create table identity.oidc_client (
    id uuid primary key,
    tenant_id uuid not null,
    name text not null,
    type text not null check (type in ('web', 'spa', 'native')),
    token_endpoint_auth_method text not null check (token_endpoint_auth_method in ('none', 'client_secret_basic', 'private_key_jwt')),
    secret_sha256 bytea check (octet_length(secret_sha256) = 32),
    previous_secret_sha256 bytea check (octet_length(previous_secret_sha256) = 32),
    previous_secret_expires_at timestamptz(3),
    jwks jsonb,
    redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 20),
    post_logout_redirect_uris text[] not null,
    scopes text[] not null,
    dpop_required boolean not null,
    par_required boolean not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (tenant_id, name),
    check ((token_endpoint_auth_method = 'client_secret_basic') = (secret_sha256 is not null)),
    check (previous_secret_sha256 is null or (secret_sha256 is not null and previous_secret_expires_at is not null)),
    check ((token_endpoint_auth_method = 'private_key_jwt') = (jwks is not null))
  )`;

/** The first release of a verification to a client, which is what is charged. */
const RELEASE = `
  create table identity.oidc_release (
    id uuid primary key,
    tenant_id uuid not null,
    wallet_id uuid not null,
    client_id uuid not null,
    verification_id uuid not null,
    released_at timestamptz(3) not null default now(),
    unique (tenant_id, wallet_id, client_id, verification_id)
  )`;

/** Which verification the tokens of a grant are about: of another grant, they are about another. */
const OF_GRANT = `
  create table identity.oidc_grant_release (
    grant_hash bytea primary key check (octet_length(grant_hash) = 32),
    tenant_id uuid not null,
    verification_id uuid not null,
    released_at timestamptz(3) not null default now()
  );
  create index oidc_grant_release_age on identity.oidc_grant_release (released_at);

  create or replace function identity.end_oidc_grant(p_grant bytea) returns void
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  begin
    delete from oidc_record r where r.grant_hash = p_grant or (r.model = 'Grant' and r.id_hash = p_grant);
    delete from oidc_grant_release g where g.grant_hash = p_grant;
  end $$;

  create function identity.delete_old_oidc_grant_releases() returns void
  language sql volatile security definer set search_path = identity, pg_temp
  as $$ delete from oidc_grant_release g where g.released_at < now() - interval '31 days' $$;
  revoke all on function identity.delete_old_oidc_grant_releases from public;
  grant execute on function identity.delete_old_oidc_grant_releases to identity_app`;

/** signed_out_at: sign-ins to applications, and proofs for a request, from before it are not valid. */
const SIGNED_OUT = `
  alter table identity.wallet add column signed_out_at timestamptz(3);
  alter table identity.wallet_presentation add column proved_at timestamptz(3);

  create function identity.presentation_proved() returns trigger
  language plpgsql set search_path = identity, pg_temp as $$
  begin
    new.proved_at := case when new.browser_hash is null then null else clock_timestamp() end;
    return new;
  end $$;
  create trigger presentation_proved before update of browser_hash on identity.wallet_presentation
    for each row when (new.browser_hash is distinct from old.browser_hash) execute function identity.presentation_proved()`;

/** Who calls the provider is known by the id of the client alone. Only of a tenant that is active: neither suspended, nor closing or closed. */
const FIND = `
  create function identity.find_oidc_client(p_id uuid) returns setof identity.oidc_client
  language sql stable security definer set search_path = identity, pg_temp
  as $$ select * from oidc_client c where c.id = p_id and platform_v1.tenant_standing(c.tenant_id) = 'active' $$;
  revoke all on function identity.find_oidc_client from public;
  grant execute on function identity.find_oidc_client to identity_app`;
