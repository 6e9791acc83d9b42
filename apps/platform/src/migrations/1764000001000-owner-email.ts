import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The owner of a new tenant proves that the address is theirs: until then mails to others wait. Existing tenants count as verified. The
 * owner is also notified when a webhook endpoint with its own secret is created, deleted or gets another secret.
 */
export class OwnerEmail1764000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      COLUMN,
      PROOF,
      tenantTable('platform', 'owner_proof', []),
      KINDS,
      SIGN_UP,
      REQUEST,
      ISSUE,
      USE,
      CLAIM,
      ENDPOINTS,
      VERIFIED,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

/** The default sets the value of existing rows; it is dropped for later ones. */
const COLUMN = `
  alter table platform.tenant add column owner_email_verified_at timestamptz default now();
  alter table platform.tenant alter column owner_email_verified_at drop default`;

/** hash: SHA-256 of a token that was mailed. */
const PROOF = `
  create table platform.owner_proof (
    token_hash bytea primary key check (octet_length(token_hash) = 32),
    tenant_id uuid not null references platform.tenant,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index owner_proof_of_tenant on platform.owner_proof (tenant_id)`;

const KINDS = `
  alter table platform.owner_notice drop constraint owner_notice_kind_check;
  alter table platform.owner_notice add constraint owner_notice_kind_check check (
    kind in ('key_created', 'key_rotated', 'key_recovered', 'webhook_secret_rotated', 'owner_email_proof',
             'endpoint_created', 'endpoint_secret_rotated', 'endpoint_deleted')
  )`;

/** As before, and the mail with the proof commits with the tenant. */
const SIGN_UP = `
  create or replace function platform.sign_up(
    p_tenant_id uuid, p_slug text, p_display_name text, p_owner_email text, p_plan text, p_environment text, p_locale text,
    p_webhook_secret bytea, p_key_id uuid, p_key_hash bytea, p_key_prefix text, p_opening_credits integer
  ) returns timestamptz ${AS_OWNER}
  as $$
  declare
    v_now constant timestamptz := date_trunc('milliseconds', now());
  begin
    insert into tenant (id, slug, display_name, owner_email, plan, environment, locale, webhook_secret, created_at)
    values (p_tenant_id, p_slug, p_display_name, p_owner_email, p_plan, p_environment, p_locale, p_webhook_secret, v_now);
    insert into api_key (id, tenant_id, key_hash, prefix, status, created_at)
    values (p_key_id, p_tenant_id, p_key_hash, p_key_prefix, 'active', v_now);
    insert into credit_account (tenant_id) values (p_tenant_id);
    if p_opening_credits > 0 then
      perform platform_v1.grant_credits(p_tenant_id, p_opening_credits, 'tenant', p_tenant_id, 'opening balance');
    end if;
    insert into owner_notice (tenant_id, kind) values (p_tenant_id, 'owner_email_proof');
    return v_now;
  end
  $$`;

/** Requests another mail. False when the address is verified. At most one mail per tenant is queued. */
const REQUEST = `
  create function platform.request_owner_proof(p_tenant_id uuid) returns boolean ${AS_OWNER}
  as $$
  begin
    perform 1 from tenant t where t.id = p_tenant_id and t.owner_email_verified_at is null for update;
    if not found then
      return false;
    end if;
    insert into owner_notice (tenant_id, kind)
    select p_tenant_id, 'owner_email_proof'
     where not exists (select from owner_notice n where n.tenant_id = p_tenant_id and n.kind = 'owner_email_proof');
    return true;
  end $$`;

/** Stores a token that is about to be mailed; removes one whose mail was not sent. */
const ISSUE = `
  create function platform.issue_owner_proof(p_tenant_id uuid, p_token_hash bytea, p_ttl_seconds integer) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into owner_proof (token_hash, tenant_id, expires_at)
    values (p_token_hash, p_tenant_id, now() + make_interval(secs => p_ttl_seconds))
  $$;

  create function platform.drop_owner_proof(p_token_hash bytea) returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$ delete from owner_proof where token_hash = p_token_hash $$`;

/**
 * Verifies the address and uses up the token with every other one of the tenant. Null when the token is not valid. Two tokens of a tenant
 * wait for each other at the tenant: each deletes the other.
 */
const USE = `
  create function platform.use_owner_proof(p_tenant_id uuid, p_token_hash bytea) returns timestamptz ${AS_OWNER}
  as $$
  declare
    v_at timestamptz;
  begin
    perform 1 from tenant t where t.id = p_tenant_id for update;
    delete from owner_proof p
     where p.token_hash = p_token_hash and p.tenant_id = p_tenant_id and p.expires_at > clock_timestamp();
    if not found then
      return null;
    end if;
    delete from owner_proof p where p.tenant_id = p_tenant_id;
    delete from owner_notice n where n.tenant_id = p_tenant_id and n.kind = 'owner_email_proof';
    update tenant t set owner_email_verified_at = coalesce(t.owner_email_verified_at, date_trunc('milliseconds', clock_timestamp()))
     where t.id = p_tenant_id
    returning t.owner_email_verified_at into v_at;
    return v_at;
  end $$`;

/** As before; expired tokens are deleted too. */
const CLAIM = `
  create or replace function platform.claim_owner_notice()
  returns table (id uuid, tenant_id uuid, kind text, detail text, created_at timestamptz, owner_email text, display_name text,
                 slug text, locale text) ${AS_OWNER}
  as $$
  begin
    delete from owner_notice n where n.created_at < now() - interval '3 days';
    delete from owner_proof p where p.expires_at < now();
    return query
      with taken as (
        update owner_notice n
           set attempts = n.attempts + 1,
               due_at = now() + least(interval '1 minute' * power(2, least(n.attempts, 6)), interval '1 hour')
         where n.id = (select d.id from owner_notice d where d.due_at <= now() order by d.due_at limit 1 for update skip locked)
        returning n.*
      )
      select k.id, k.tenant_id, k.kind, k.detail, k.created_at, t.owner_email, t.display_name, t.slug, t.locale
        from taken k join tenant t on t.id = k.tenant_id;
  end $$;
  create index owner_proof_expiry on platform.owner_proof (expires_at)`;

/**
 * Endpoints that have a secret of their own. detail: the endpoint's id. Sealing a secret with another key leaves the end of its grace
 * period as it is: that causes no notice.
 */
const ENDPOINTS = `
  create function platform.note_endpoint() returns trigger ${AS_OWNER} as $$
  begin
    if tg_op = 'INSERT' then
      insert into owner_notice (tenant_id, kind, detail) values (new.tenant_id, 'endpoint_created', new.id::text);
    elsif tg_op = 'DELETE' then
      insert into owner_notice (tenant_id, kind, detail) values (old.tenant_id, 'endpoint_deleted', old.id::text);
    else
      insert into owner_notice (tenant_id, kind, detail) values (new.tenant_id, 'endpoint_secret_rotated', new.id::text);
    end if;
    return null;
  end $$;
  create trigger note_created after insert on platform.webhook_endpoint
    for each row when (new.webhook_secret is not null) execute function platform.note_endpoint();
  create trigger note_deleted after delete on platform.webhook_endpoint
    for each row when (old.webhook_secret is not null) execute function platform.note_endpoint();
  create trigger note_rotated after update on platform.webhook_endpoint
    for each row when (
      new.webhook_secret is distinct from old.webhook_secret
      and new.previous_webhook_secret_expires_at is distinct from old.previous_webhook_secret_expires_at
    ) execute function platform.note_endpoint();
  revoke all on function platform.note_endpoint from public`;

/** For modules that write to people in the name of a tenant. */
const VERIFIED = `
  create function platform_v1.owner_verified(p_tenant_id uuid) returns boolean
  language sql stable security definer set search_path = platform, pg_temp as $$
    select exists (select from tenant t where t.id = p_tenant_id and t.owner_email_verified_at is not null)
  $$`;

const FUNCTIONS =
  'platform.request_owner_proof, platform.issue_owner_proof, platform.drop_owner_proof, platform.use_owner_proof';

const GRANTS = `
  revoke all on function ${FUNCTIONS}, platform_v1.owner_verified from public;
  grant execute on function ${FUNCTIONS} to platform_app;
  grant execute on function platform_v1.owner_verified to signing_app, signing_owner`;
