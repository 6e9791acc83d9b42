import { appRole, ownerRole, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tenants' own signing keys (ADR 0241). A row of signing_key without a tenant is the platform's, which everybody may see. signing_settings:
 * the key that a tenant's documents are sealed with from now on; no row means the platform's.
 */
export class TenantSigningKeys1764000007100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [OWNERS, SETTINGS, SETBACKS, REGISTER, HASTEN, PUT, REMOVE, KEY_OF, NOTE, FIND, GRANTS];
    for (const sql of statements) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const OWNERS = `
  alter table signing.signing_key add column tenant_id uuid;
  create index signing_key_tenant on signing.signing_key (tenant_id, created_at);
  alter table signing.signing_key enable row level security;
  alter table signing.signing_key force row level security;
  create policy visible_rows on signing.signing_key for select to ${appRole('signing')}
    using (tenant_id is null or tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
  create policy owner_rows on signing.signing_key to ${ownerRole('signing')} using (true) with check (true)`;

/** problem: why the key could not be used when it was tried last, at problem_at. */
const SETTINGS = `
  create table signing.signing_settings (
    tenant_id uuid primary key,
    kms_key text not null,
    fingerprint bytea not null constraint signing_settings_key references signing.signing_key,
    problem text constraint signing_settings_problem check (problem in ('key_unusable', 'key_refused')),
    problem_at timestamptz,
    updated_at timestamptz not null default now(),
    constraint signing_settings_problem_has_time check ((problem is null) = (problem_at is null))
  );
  ${tenantTable('signing', 'signing_settings', ['select'])}`;

const SETBACKS = `
  alter table signing.envelope drop constraint envelope_last_setback;
  alter table signing.envelope add constraint envelope_last_setback check (
    last_setback in ('kms', 'tenant_key', 'timestamps', 'storage', 'database', 'busy', 'internal')) not valid;
  alter table signing.envelope validate constraint envelope_last_setback`;

/** As before, among the platform's keys. A key that the platform signs with is no tenant's, even if a tenant named it first. */
const REGISTER = `
  create or replace function signing.register_signing_key(
    p_fingerprint bytea, p_key_arn text, p_algorithm text, p_public_key_pem text
  ) returns void
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  begin
    insert into signing_key (fingerprint, key_arn, algorithm, public_key_pem)
    values (p_fingerprint, p_key_arn, p_algorithm, p_public_key_pem)
    on conflict (fingerprint) do update
      set status = 'active', key_arn = excluded.key_arn, tenant_id = null,
          certificate_der = case when signing_key.tenant_id is null then signing_key.certificate_der end,
          certificate_chain_der = case when signing_key.tenant_id is null then signing_key.certificate_chain_der else '{}' end
      where signing_key.status <> 'active' or signing_key.key_arn <> excluded.key_arn or signing_key.tenant_id is not null;
    update signing_key set status = 'retired' where fingerprint <> p_fingerprint and status = 'active' and tenant_id is null;
  end $$`;

/** Documents of a tenant that wait for their next try are tried now. */
const HASTEN = `
  create function signing.hasten_sealing(p_tenant_id uuid) returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    update signature_request set retry_at = now()
     where tenant_id = p_tenant_id and status = 'pending' and lease_token is null and retry_at > now();
    update envelope set retry_at = now()
     where tenant_id = p_tenant_id and status = 'sealing' and lease_token is null and retry_at > now()
  $$`;

/** Sets the key of the transaction's tenant. False: the key is the platform's or another tenant's, and nothing is written. */
const PUT = `
  create function signing.put_signing_settings(
    p_kms_key text, p_fingerprint bytea, p_key_arn text, p_algorithm text, p_public_key_pem text, p_certificate_der bytea,
    p_certificate_chain_der bytea[]
  ) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    own_tenant constant uuid := current_setting('app.tenant_id')::uuid;
  begin
    insert into signing_key (fingerprint, key_arn, algorithm, public_key_pem, tenant_id, certificate_der, certificate_chain_der)
    values (p_fingerprint, p_key_arn, p_algorithm, p_public_key_pem, own_tenant, p_certificate_der, p_certificate_chain_der)
    on conflict (fingerprint) do update
      set status = 'active', key_arn = excluded.key_arn, certificate_der = excluded.certificate_der,
          certificate_chain_der = excluded.certificate_chain_der
      where signing_key.tenant_id = own_tenant;
    if not found then
      return false;
    end if;
    update signing_key set status = 'retired' where tenant_id = own_tenant and fingerprint <> p_fingerprint and status = 'active';
    insert into signing_settings (tenant_id, kms_key, fingerprint) values (own_tenant, p_kms_key, p_fingerprint)
    on conflict (tenant_id) do update
      set kms_key = excluded.kms_key, fingerprint = excluded.fingerprint, problem = null, problem_at = null, updated_at = now();
    perform hasten_sealing(own_tenant);
    return true;
  end $$`;

/** The transaction's tenant has no key of its own any more; the one that it had stays for verification. False: it had none. */
const REMOVE = `
  create function signing.delete_signing_settings() returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    own_tenant constant uuid := current_setting('app.tenant_id')::uuid;
  begin
    delete from signing_settings where tenant_id = own_tenant;
    if not found then
      return false;
    end if;
    update signing_key set status = 'retired' where tenant_id = own_tenant and status = 'active';
    perform hasten_sealing(own_tenant);
    return true;
  end $$`;

/** The key that a tenant set, if it set one. The members of the key are null when it is not the tenant's. */
const KEY_OF = `
  create function signing.tenant_signing_key(p_tenant_id uuid)
  returns table (
    fingerprint bytea, key_arn text, public_key_pem text, certificate_der bytea, certificate_chain_der bytea[], problem text,
    problem_at timestamptz
  )
  language sql stable security definer set search_path = signing, pg_temp as $$
    select s.fingerprint, k.key_arn, k.public_key_pem, k.certificate_der, k.certificate_chain_der, s.problem, s.problem_at
      from signing_settings s
      left join signing_key k on k.fingerprint = s.fingerprint and k.tenant_id = s.tenant_id
     where s.tenant_id = p_tenant_id
  $$`;

/** Notes why a tenant's key could not be used just now, or with null that it was; unless another one was set meanwhile. */
const NOTE = `
  create function signing.note_signing_problem(p_tenant_id uuid, p_fingerprint bytea, p_problem text) returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    update signing_settings
       set problem = p_problem, problem_at = case when p_problem is not null then clock_timestamp() end
     where tenant_id = p_tenant_id and fingerprint = p_fingerprint
       and (problem is distinct from p_problem or problem_at < clock_timestamp() - interval '5 seconds')
  $$`;

/** For anybody who knows the fingerprint, and for the proof of a document that names the key. */
const FIND = `
  create function signing.find_signing_key(p_fingerprint bytea) returns setof signing.signing_key
  language sql stable security definer set search_path = signing, pg_temp as $$
    select * from signing_key where fingerprint = p_fingerprint
  $$;
  create function signing.signing_keys_named(p_key_arn text) returns setof signing.signing_key
  language sql stable security definer set search_path = signing, pg_temp as $$
    select * from signing_key where key_arn = p_key_arn
  $$`;

const FUNCTIONS = `signing.put_signing_settings, signing.delete_signing_settings, signing.tenant_signing_key,
  signing.note_signing_problem, signing.find_signing_key, signing.signing_keys_named`;

const GRANTS = `
  revoke all on function signing.hasten_sealing, ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
