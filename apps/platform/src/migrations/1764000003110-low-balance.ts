import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A warning when the available credits fall below a threshold that the tenant sets: an event and mails, in the transaction that makes them
 * fall (ADR 0164).
 */
export class LowBalance1764000003110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      COLUMNS,
      ACTS_FOR,
      RECEIVES,
      WRITE_EVENT,
      EMIT_EVENT,
      RECIPIENTS,
      KINDS,
      noteLowBalance('true'),
      TRIGGER,
      SETTINGS,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** In the account's own row: the update that takes credits sees the threshold without another read. Null: no warning. */
const COLUMNS = `
  alter table platform.credit_account
    add column low_balance_threshold bigint check (low_balance_threshold > 0),
    add column low_balance_notify boolean not null default true,
    add column low_balance_mailed_at timestamptz`;

/** As before; billing is the platform's. */
const ACTS_FOR = `
  create or replace function platform.acts_for(p_module text) returns boolean language sql stable as $$
    select coalesce(pg_has_role(platform.calling_role(), of_module.schema || '_app', 'member')
                 or pg_has_role(platform.calling_role(), of_module.schema || '_owner', 'member'), false)
           or platform.is_administrator()
      from (select case p_module when 'seal' then 'signing'
                                 when 'identity' then 'identity'
                                 when 'compliance' then 'compliance'
                                 when 'billing' then 'platform'
                                 when 'platform' then 'platform' end as schema offset 0) of_module
  $$`;

/** As before; endpoints of the other modules get events of billing that they name. */
const RECEIVES = `
  create or replace function platform.receives(e platform.webhook_endpoint, p_module text, p_event_type text) returns boolean
  language sql immutable parallel safe as $$
    select case when p_event_type = 'endpoint.test' then coalesce(e.module = p_module, false)
                when p_event_type = 'webhook.endpoint.disabled' then e.event_types = '{}' or p_event_type = any (e.event_types)
                when p_module = any (coalesce(e.modules, array[e.module])) then e.event_types = '{}' or p_event_type = any (e.event_types)
                else p_module = 'billing' and p_event_type = any (e.event_types) end
  $$`;

/** What emit_event writes, without its checks of the caller: what the store itself states happens in any module's transaction. */
const WRITE_EVENT = `
  create function platform.write_event(
    p_event_id uuid, p_tenant_id uuid, p_module text, p_event_type text, p_occurred_at timestamptz, p_body text, p_traceparent text
  ) returns integer
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    made integer;
  begin
    insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent, external_ref)
    values (p_event_id, p_tenant_id, p_module, p_event_type, p_occurred_at, p_body, p_traceparent, external_ref_of(p_body))
    on conflict do nothing;
    if not found then
      return 0;
    end if;
    insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type)
    select uuid_v7(), p_event_id, p_tenant_id, e.id, coalesce(e.module, p_module), p_event_type
      from webhook_endpoint e
     where e.tenant_id = p_tenant_id and receives(e, p_module, p_event_type);
    get diagnostics made = row_count;
    return made;
  end $$`;

const EMIT_EVENT = `
  create or replace function platform_v1.emit_event(
    p_event_id uuid, p_tenant_id uuid, p_module text, p_event_type text, p_occurred_at timestamptz, p_body text,
    p_traceparent text
  ) returns integer
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    perform require_tenant(p_tenant_id);
    perform check_event(p_event_id, p_tenant_id, p_module, p_event_type, p_body);
    return write_event(p_event_id, p_tenant_id, p_module, p_event_type, p_occurred_at, p_body, p_traceparent);
  end $$`;

/** Who is mailed about the credits of a tenant, and in which language. The only place that decides it. */
const RECIPIENTS = `
  create function platform.billing_recipients(p_tenant_id uuid) returns table (email text, locale text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.owner_email, t.locale from tenant t where t.id = p_tenant_id
  $$`;

/** What kinds there are is listed where they are written as mails (owner-notice.entity.ts); the store checks their form. */
const KINDS = `
  alter table platform.owner_notice drop constraint if exists owner_notice_kind_check;
  alter table platform.owner_notice add constraint owner_notice_kind_check check (kind ~ '^[a-z]+(_[a-z]+)*$')`;

/**
 * Every change of the balance holds the lock of this row, so changes follow each other, and each crossing is seen by exactly one of them.
 * Each recipient has a notice (detail: a JSON object), so that a mail that fails repeats no other one. Holds that are
 * given back may cross the threshold often: events say each time, mails at most once in an hour. `mailable`: the condition, in SQL, under
 * which the tenant of the row `new` gets mails.
 */
export const noteLowBalance = (mailable: string): string => `
  create or replace function platform.note_low_balance() returns trigger
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    v_id constant uuid := uuid_v7();
    v_at constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  begin
    perform write_event(v_id, new.tenant_id, 'billing', 'credits.balance.low', v_at, format(
      '{"event_id":"%s","tenant_id":"%s","module":"billing","event_type":"credits.balance.low","occurred_at":"%s",'
        '"payload":{"balance_after":%s,"low_balance_threshold":%s}}',
      v_id, new.tenant_id, to_char(v_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), new.available, new.low_balance_threshold
    ), null);
    if new.low_balance_notify and coalesce(new.low_balance_mailed_at < now() - interval '1 hour', true)
       and ${mailable} then
      insert into owner_notice (tenant_id, kind, detail)
      select new.tenant_id, 'balance_low',
             json_build_object('email', r.email, 'locale', r.locale, 'balance_after', new.available,
                               'low_balance_threshold', new.low_balance_threshold)::text
        from billing_recipients(new.tenant_id) r;
      new.low_balance_mailed_at := now();
    end if;
    return new;
  end $$`;

const TRIGGER = `
  create trigger note_low_balance before update of available on platform.credit_account
    for each row when (old.available >= new.low_balance_threshold and new.available < new.low_balance_threshold)
    execute function platform.note_low_balance()`;

/** Waits for the lock of the account like a debit: a debit meets either threshold, never a mixture. */
const SETTINGS = `
  create function platform.put_billing_settings(p_tenant_id uuid, p_low_balance_threshold bigint, p_notify boolean)
  returns table (low_balance_threshold bigint, notify boolean, available bigint)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    perform require_tenant(p_tenant_id);
    insert into credit_account (tenant_id) values (p_tenant_id) on conflict do nothing;
    return query
    update credit_account a
       set low_balance_threshold = p_low_balance_threshold, low_balance_notify = p_notify, low_balance_mailed_at = null
     where a.tenant_id = p_tenant_id
    returning a.low_balance_threshold, a.low_balance_notify, a.available;
  end $$`;

const GRANTS = `
  revoke all on function platform.write_event, platform.billing_recipients, platform.note_low_balance, platform.put_billing_settings
    from public;
  grant execute on function platform.put_billing_settings to platform_app`;
