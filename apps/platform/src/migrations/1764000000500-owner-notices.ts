import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A key in its grace period does not rotate, and the owner of a tenant is told of every change of its credentials: by triggers, so
 * that a change is told whichever release or function made it.
 */
export class OwnerNotices1764000000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ROTATE_API_KEY, OWNER_NOTICE, tenantTable('platform', 'owner_notice', []), TRIGGERS, MAILS])
      await runner.query(sql);
    await runner.query(`revoke all on function ${FUNCTIONS} from public`);
    await runner.query(`grant execute on function ${FUNCTIONS} to platform_app`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';
const FUNCTIONS = 'platform.claim_owner_notice, platform.finish_owner_notice, platform.owner_notice_lag';

/** As before, for an active key only: whoever holds a key that was replaced must not take over the tenant with it. */
const ROTATE_API_KEY = `
  create or replace function platform.rotate_api_key(
    p_tenant_id uuid, p_caller_key_id uuid, p_key_id uuid, p_key_hash bytea, p_key_prefix text, p_grace_seconds integer
  ) returns table (rotated_at timestamptz, previous_key_expires_at timestamptz) ${AS_OWNER}
  as $$
  begin
    perform 1 from tenant t where t.id = p_tenant_id for update;
    if not exists (
      select 1 from api_key k where k.id = p_caller_key_id and k.tenant_id = p_tenant_id and k.status = 'active'
    ) then
      return;
    end if;
    return query select * from replace_api_key(p_tenant_id, p_key_id, p_key_hash, p_key_prefix, p_grace_seconds);
  end
  $$`;

/** detail: what tells the new credential from others, never the credential itself. */
const OWNER_NOTICE = `
  create table platform.owner_notice (
    id uuid primary key default platform.uuid_v7(),
    tenant_id uuid not null references platform.tenant,
    kind text not null check (kind in ('key_created', 'key_rotated', 'key_recovered', 'webhook_secret_rotated')),
    detail text,
    created_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts integer not null default 0
  );
  create index owner_notice_due on platform.owner_notice (due_at)`;

/** The key of the sign-up is told to nobody: its owner has just asked for it. A recovery replaces a key: that is told once. */
const TRIGGERS = `
  create function platform.note_api_key() returns trigger ${AS_OWNER} as $$
  begin
    if exists (select from api_key k where k.tenant_id = new.tenant_id and k.id <> new.id)
       and not exists (select from owner_notice n
                        where n.tenant_id = new.tenant_id and n.kind = 'key_recovered' and n.created_at = now()) then
      insert into owner_notice (tenant_id, kind, detail)
      select new.tenant_id,
             case when exists (select from api_key k where k.tenant_id = new.tenant_id and k.rotated_at = new.created_at)
                  then 'key_rotated' else 'key_created' end,
             new.prefix;
    end if;
    return null;
  end $$;
  create trigger note after insert on platform.api_key for each row execute function platform.note_api_key();

  create function platform.note_recovery() returns trigger ${AS_OWNER} as $$
  begin
    if not exists (select from owner_notice n
                    where n.tenant_id = new.tenant_id and n.kind = 'key_recovered' and n.created_at = now()) then
      insert into owner_notice (tenant_id, kind) values (new.tenant_id, 'key_recovered');
    end if;
    return null;
  end $$;
  create trigger note after update of used_at on platform.recovery_token
    for each row when (old.used_at is null and new.used_at is not null) execute function platform.note_recovery();

  create function platform.note_webhook_secret() returns trigger ${AS_OWNER} as $$
  begin
    insert into owner_notice (tenant_id, kind) values (new.id, 'webhook_secret_rotated');
    return null;
  end $$;
  create trigger note_secret after update of webhook_secret_rotated_at on platform.tenant
    for each row when (old.webhook_secret_rotated_at is distinct from new.webhook_secret_rotated_at)
    execute function platform.note_webhook_secret();

  revoke all on function platform.note_api_key, platform.note_recovery, platform.note_webhook_secret from public`;

/** Taking a notice moves it into the future (1 min, 2 min, … 1 h): its lease and its next attempt. After three days it is given up. */
const MAILS = `
  create function platform.claim_owner_notice()
  returns table (id uuid, tenant_id uuid, kind text, detail text, created_at timestamptz, owner_email text, display_name text,
                 slug text, locale text) ${AS_OWNER}
  as $$
  begin
    delete from owner_notice n where n.created_at < now() - interval '3 days';
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

  create function platform.finish_owner_notice(p_id uuid) returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$ delete from owner_notice where id = p_id $$;

  create function platform.owner_notice_lag() returns double precision
  language sql stable security definer set search_path = platform, pg_temp as $$
    select coalesce(extract(epoch from now() - min(created_at)), 0)::double precision from owner_notice
  $$`;
