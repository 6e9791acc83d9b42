import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Recovery mails that are still to be sent. The tenant id and the digest of the address are what a stranger claimed: they may
 * be nobody's, so no row of tenant is referred to. No grants: the process reaches it through the functions below.
 */
const RECOVERY_REQUEST = `
  create table platform.recovery_request (
    id uuid primary key,
    tenant_id uuid not null,
    email_digest bytea not null,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    constraint recovery_request_digest_length check (octet_length(email_digest) = 32)
  );
  create index recovery_request_due on platform.recovery_request (due_at);
`;

/** What happens before a tenant is known runs as the owner of the schema; search_path is pinned as for every such function. */
const AS_OWNER = `language plpgsql volatile security definer set search_path = platform, pg_temp`;

/** Tenant, first key, credit account and opening grant in one transaction. A taken slug breaks the unique constraint of tenant. */
const SIGN_UP = `
  create function platform.sign_up(
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
    return v_now;
  end
  $$`;

/**
 * Puts a new key in the place of the active one; the caller holds the lock on the tenant's row. The former key stays valid
 * for the grace; a grace of 0 also ends every earlier one. Each key that changes is announced, so that caches drop it at
 * commit. Internal: not granted to the process.
 */
const REPLACE_API_KEY = `
  create function platform.replace_api_key(
    p_tenant_id uuid, p_key_id uuid, p_key_hash bytea, p_key_prefix text, p_grace_seconds integer,
    out rotated_at timestamptz, out previous_key_expires_at timestamptz
  ) ${AS_OWNER}
  as $$
  declare
    v_changed bytea;
  begin
    rotated_at := date_trunc('milliseconds', clock_timestamp());
    previous_key_expires_at := rotated_at + make_interval(secs => p_grace_seconds);
    for v_changed in
      update api_key k
         set status = case when p_grace_seconds = 0 then 'revoked' else 'expiring' end,
             expires_at = replace_api_key.previous_key_expires_at,
             rotated_at = replace_api_key.rotated_at
       where k.tenant_id = p_tenant_id
         and (k.status = 'active'
              or (p_grace_seconds = 0 and k.status = 'expiring' and k.expires_at > replace_api_key.rotated_at))
      returning k.key_hash
    loop
      perform pg_notify('api_key_changed', encode(v_changed, 'hex'));
    end loop;
    insert into api_key (id, tenant_id, key_hash, prefix, status, created_at)
    values (p_key_id, p_tenant_id, p_key_hash, p_key_prefix, 'active', replace_api_key.rotated_at);
  end
  $$`;

/**
 * Rotates on behalf of a key. No row when that key has ended meanwhile: of two rotations at once with grace 0, the second
 * must not end the key that the first has just handed out.
 */
const ROTATE_API_KEY = `
  create function platform.rotate_api_key(
    p_tenant_id uuid, p_caller_key_id uuid, p_key_id uuid, p_key_hash bytea, p_key_prefix text, p_grace_seconds integer
  ) returns table (rotated_at timestamptz, previous_key_expires_at timestamptz) ${AS_OWNER}
  as $$
  begin
    perform 1 from tenant t where t.id = p_tenant_id for update;
    if not exists (
      select 1 from api_key k
       where k.id = p_caller_key_id and k.tenant_id = p_tenant_id
         and (k.status = 'active' or (k.status = 'expiring' and k.expires_at > clock_timestamp()))
    ) then
      return;
    end if;
    return query select * from replace_api_key(p_tenant_id, p_key_id, p_key_hash, p_key_prefix, p_grace_seconds);
  end
  $$`;

/** Rotates on behalf of a recovery token and uses it up, with every other token of that tenant. No row when it is not valid. */
const USE_RECOVERY_TOKEN = `
  create function platform.use_recovery_token(
    p_tenant_id uuid, p_token_hash bytea, p_key_id uuid, p_key_hash bytea, p_key_prefix text
  ) returns table (rotated_at timestamptz, previous_key_expires_at timestamptz) ${AS_OWNER}
  as $$
  begin
    perform 1 from tenant t where t.id = p_tenant_id for update;
    perform 1 from recovery_token r
      where r.token_hash = p_token_hash and r.tenant_id = p_tenant_id
        and r.used_at is null and r.expires_at > clock_timestamp();
    if not found then
      return;
    end if;
    update recovery_token r set used_at = clock_timestamp() where r.tenant_id = p_tenant_id and r.used_at is null;
    return query select * from replace_api_key(p_tenant_id, p_key_id, p_key_hash, p_key_prefix, 0);
  end
  $$`;

/** Remembers that a recovery mail was asked for. The same one insert whether or not the claim is true. */
const REQUEST_RECOVERY = `
  create function platform.request_recovery(p_id uuid, p_tenant_id uuid, p_email_digest bytea)
  returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$
    insert into recovery_request (id, tenant_id, email_digest) values (p_id, p_tenant_id, p_email_digest)
  $$`;

/**
 * Takes due requests to work on. Taking one moves it into the future (1 min, 2 min, … 15 min): that is its lease and, when
 * the mail cannot be sent, its next attempt. Requests older than a day and long dead tokens go.
 */
const CLAIM_RECOVERY_REQUESTS = `
  create function platform.claim_recovery_requests(p_limit integer)
  returns table (id uuid, tenant_id uuid, email_digest bytea, owner_email text, display_name text, locale text) ${AS_OWNER}
  as $$
  begin
    delete from recovery_request r where r.created_at < now() - interval '1 day';
    delete from recovery_token k where k.expires_at < now() - interval '7 days';
    return query
      with taken as (
        update recovery_request r
           set attempts = r.attempts + 1,
               due_at = now() + least(interval '1 minute' * power(2, least(r.attempts, 4)), interval '15 minutes')
         where r.id in (
           select d.id from recovery_request d where d.due_at <= now() order by d.due_at limit p_limit for update skip locked
         )
        returning r.id, r.tenant_id, r.email_digest
      )
      select taken.id, taken.tenant_id, taken.email_digest, t.owner_email, t.display_name, t.locale
        from taken left join tenant t on t.id = taken.tenant_id;
  end
  $$`;

/** Stores a token that is about to be mailed. False when the tenant has had ten within the hour: nobody's mailbox is flooded. */
const ISSUE_RECOVERY_TOKEN = `
  create function platform.issue_recovery_token(p_tenant_id uuid, p_token_hash bytea, p_ttl_seconds integer)
  returns boolean ${AS_OWNER}
  as $$
  begin
    if (select count(*) from recovery_token r
         where r.tenant_id = p_tenant_id and r.created_at > now() - interval '1 hour') >= 10 then
      return false;
    end if;
    insert into recovery_token (token_hash, tenant_id, expires_at)
    values (p_token_hash, p_tenant_id, now() + make_interval(secs => p_ttl_seconds));
    return true;
  end
  $$`;

const DROP_RECOVERY_TOKEN = `
  create function platform.drop_recovery_token(p_token_hash bytea) returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$ delete from recovery_token where token_hash = p_token_hash $$`;

const FINISH_RECOVERY_REQUEST = `
  create function platform.finish_recovery_request(p_id uuid) returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$ delete from recovery_request where id = p_id $$`;

const FUNCTIONS: [signature: string, sql: string, granted: boolean][] = [
  ['sign_up(uuid, text, text, text, text, text, text, bytea, uuid, bytea, text, integer)', SIGN_UP, true],
  ['replace_api_key(uuid, uuid, bytea, text, integer)', REPLACE_API_KEY, false],
  ['rotate_api_key(uuid, uuid, uuid, bytea, text, integer)', ROTATE_API_KEY, true],
  ['use_recovery_token(uuid, bytea, uuid, bytea, text)', USE_RECOVERY_TOKEN, true],
  ['request_recovery(uuid, uuid, bytea)', REQUEST_RECOVERY, true],
  ['claim_recovery_requests(integer)', CLAIM_RECOVERY_REQUESTS, true],
  ['issue_recovery_token(uuid, bytea, integer)', ISSUE_RECOVERY_TOKEN, true],
  ['drop_recovery_token(bytea)', DROP_RECOVERY_TOKEN, true],
  ['finish_recovery_request(uuid)', FINISH_RECOVERY_REQUEST, true],
];

export class TenancyFunctions1763700000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RECOVERY_REQUEST);
    await runner.query(tenantTable('platform', 'recovery_request', []));
    for (const [signature, sql, granted] of FUNCTIONS) {
      await runner.query(sql);
      await runner.query(`revoke all on function platform.${signature} from public`);
      if (granted) await runner.query(`grant execute on function platform.${signature} to platform_app`);
    }
    // The process refuses to start on a schema that is older than itself.
    await runner.query('grant select on platform.migration to platform_app');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [signature] of [...FUNCTIONS].reverse()) await runner.query(`drop function platform.${signature}`);
    await runner.query('drop table platform.recovery_request');
  }
}
