import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Top-ups, their payments, exchange rates, and the ledger's entries for them. */
export class Topups1764000003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [LEDGER, POST_ENTRY, TABLES, TRM, POST_TOPUP, SWEEPS, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

/**
 * A top-up has several entries: it is credited, reversed in parts, and credited again when a dispute is won. Its sequence number makes
 * each of them one object; every other kind stays once per object. A balance is negative only after a reversal.
 */
const LEDGER = `
  alter table platform.credit_account drop constraint credit_account_available_check;
  alter table platform.credit_entry
    drop constraint credit_entry_kind_check,
    drop constraint credit_entry_balance_after_check,
    drop constraint credit_entry_once_per_object,
    add constraint credit_entry_kind_check
      check (kind in ('grant', 'debit', 'refund', 'hold', 'capture', 'release', 'topup', 'reversal')),
    add constraint credit_entry_negative_by_reversal check (balance_after >= 0 or amount >= 0 or kind = 'reversal');
  create unique index credit_entry_once_per_object on platform.credit_entry
    (ref_id, ref_type, kind, (case when kind in ('topup', 'reversal') then seq else 0 end));
`;

/** As before, but only what spends needs the balance to cover it: what gives credits back, and a reversal, always happen. */
const POST_ENTRY = `
  create or replace function platform.post_entry(
    p_tenant_id uuid, p_kind text, p_amount bigint, p_quantity bigint, p_held bigint, p_from text, p_to text,
    p_module text, p_ref_type text, p_ref_id uuid, p_hold_id uuid, p_reason text
  ) returns platform.credit_entry language plpgsql as $$
  declare
    account platform.credit_account;
    entry platform.credit_entry;
  begin
    update platform.credit_account a
       set available = a.available + p_amount, held = a.held + p_held, last_seq = a.last_seq + 1
     where a.tenant_id = p_tenant_id and (a.available + p_amount >= 0 or p_amount >= 0 or p_kind = 'reversal')
     returning a.* into account;
    if not found then
      if exists (select 1 from platform.credit_account where tenant_id = p_tenant_id) then
        raise exception 'too few credits' using errcode = 'CN402';
      end if;
      raise exception 'no such tenant' using errcode = 'CN404';
    end if;
    insert into platform.credit_entry
      (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id, hold_id, reason)
    values
      (p_tenant_id, account.last_seq, p_kind, p_amount, p_quantity, account.available, p_from, p_to, p_module, p_ref_type, p_ref_id,
       p_hold_id, p_reason)
    returning * into entry;
    return entry;
  end $$;
`;

/**
 * trm, usd_micros and bonus_percent are the quote: amount_credits follows from them for ever. applied_credits is what the ledger holds of
 * it, changed by post_topup alone. check_at: when a lost callback is looked for next; null when there is nothing to wait for.
 */
const TABLES = `
  create table platform.topup (
    id uuid primary key,
    tenant_id uuid not null references platform.tenant,
    provider text not null,
    preference_id text not null,
    init_point text not null,
    status text not null default 'pending'
      check (status in ('pending', 'credited', 'rejected', 'expired', 'amount_mismatch', 'part_reversed', 'reversed')),
    amount_cop bigint not null check (amount_cop > 0),
    amount_credits bigint not null check (amount_credits > 0),
    bonus_credits bigint not null check (bonus_credits >= 0),
    applied_credits bigint not null default 0 check (applied_credits between 0 and amount_credits),
    bundle text,
    bonus_percent integer not null check (bonus_percent >= 0),
    usd_micros integer not null check (usd_micros > 0),
    trm numeric not null,
    trm_valid_for date not null,
    trm_source text not null,
    return_url text,
    external_ref text,
    metadata jsonb not null default '{}',
    difference text check (difference in ('missed_callback', 'paid_twice', 'amount_mismatch', 'payment_missing', 'ledger_drift')),
    check_at timestamptz(3),
    compared_at timestamptz(3),
    expires_at timestamptz(3) not null,
    credited_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  );
  create index topup_by_tenant on platform.topup (tenant_id, id);
  create index topup_by_ref on platform.topup (tenant_id, external_ref, id) where external_ref is not null;
  create index topup_to_check on platform.topup (check_at) where check_at is not null;
  create index topup_to_compare on platform.topup (created_at);
  create index topup_difference on platform.topup (difference) where difference is not null;
  ${tenantTable('platform', 'topup', ['select'])}
  grant insert (id, tenant_id, provider, preference_id, init_point, amount_cop, amount_credits, bonus_credits, bundle, bonus_percent,
                usd_micros, trm, trm_valid_for, trm_source, return_url, external_ref, metadata, check_at, expires_at),
        update (status, difference, check_at, credited_at, updated_at)
    on platform.topup to platform_app;

  create table platform.topup_payment (
    tenant_id uuid not null references platform.tenant,
    topup_id uuid not null references platform.topup,
    payment_id text not null,
    status text not null,
    status_detail text not null,
    currency text not null,
    amount_cents bigint not null,
    refunded_cents bigint not null,
    provider_updated_at timestamptz(3) not null,
    seen_at timestamptz(3) not null default now(),
    primary key (topup_id, payment_id)
  );
  ${tenantTable('platform', 'topup_payment')}

  create table platform.return_origins (
    tenant_id uuid primary key references platform.tenant,
    origins text[] not null,
    updated_at timestamptz(3) not null default now()
  );
  ${tenantTable('platform', 'return_origins')}
`;

/** Nobody's data: every process reads it, and adds what it fetched. A rate is never changed. */
const TRM = `
  create table platform.trm_rate (
    valid_from date primary key,
    valid_to date not null,
    value numeric not null check (value between 1000 and 10000),
    source text not null check (source in ('socrata', 'soap')),
    fetched_at timestamptz(3) not null default now(),
    check (valid_to >= valid_from)
  );
  alter table platform.trm_rate enable row level security;
  alter table platform.trm_rate force row level security;
  create policy every_row on platform.trm_rate to platform_app using (true) with check (true);
  create policy owner_rows on platform.trm_rate to platform_owner using (true) with check (true);
  grant select, insert on platform.trm_rate to platform_app;
`;

/**
 * The only way from a payment to the balance: one entry for the difference. What a top-up has in the ledger stays between nothing and its
 * quote (a check of the table), whatever is asked.
 */
const POST_TOPUP = `
  create function platform.post_topup(p_tenant_id uuid, p_topup_id uuid, p_delta bigint, p_reason text)
  returns table (entry_id uuid, seq bigint, balance_after bigint) ${AS_OWNER} as $$
  declare
    entry credit_entry;
  begin
    perform require_tenant(p_tenant_id);
    if p_delta = 0 then
      raise exception 'an entry changes something' using errcode = 'CN403';
    end if;
    update topup t set applied_credits = t.applied_credits + p_delta where t.id = p_topup_id and t.tenant_id = p_tenant_id;
    if not found then
      raise exception 'no such top-up' using errcode = 'CN404';
    end if;
    if p_delta > 0 then
      entry := post_entry(p_tenant_id, 'topup', p_delta, p_delta, 0, 'system:payments', 'tenant:available', 'billing', 'topup',
                          p_topup_id, null, p_reason);
    else
      entry := post_entry(p_tenant_id, 'reversal', p_delta, -p_delta, 0, 'tenant:available', 'system:payments', 'billing', 'topup',
                          p_topup_id, null, p_reason);
    end if;
    return query select entry.id, entry.seq, entry.balance_after;
  end $$;
`;

/** Whose a top-up is, which ones are due for a look at the provider, and what differs. A claim moves the next look into the future. */
const SWEEPS = `
  create function platform.topup_owner(p_id uuid)
  returns table (tenant_id uuid, status text, return_url text, expires_at timestamptz)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.tenant_id, t.status, t.return_url, t.expires_at from topup t where t.id = p_id
  $$;

  create function platform.claim_topup_checks(p_limit integer, p_again interval)
  returns table (id uuid, tenant_id uuid) ${AS_OWNER} as $$
  begin
    return query
    update topup t set check_at = now() + p_again
     where t.id in (select d.id from topup d where d.check_at <= now() order by d.check_at limit p_limit for update skip locked)
    returning t.id, t.tenant_id;
  end $$;

  create function platform.claim_topup_comparisons(p_limit integer, p_since timestamptz, p_before timestamptz)
  returns table (id uuid, tenant_id uuid) ${AS_OWNER} as $$
  begin
    return query
    update topup t set compared_at = now()
     where t.id in (select d.id from topup d
                     where d.created_at >= p_since and d.created_at < p_before and (d.compared_at is null or d.compared_at < p_before)
                     order by d.created_at limit p_limit for update skip locked)
    returning t.id, t.tenant_id;
  end $$;

  create function platform.topup_figures()
  returns table (difference text, topups bigint, oldest_check_seconds double precision)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.difference, count(*), 0::double precision from topup t where t.difference is not null group by t.difference
    union all
    select null, count(*), coalesce(extract(epoch from now() - min(t.check_at)), 0)::double precision
      from topup t where t.check_at is not null and t.check_at < now()
  $$;
`;

const GRANTS = `
  revoke all on function platform.post_topup, platform.topup_owner, platform.claim_topup_checks, platform.claim_topup_comparisons,
    platform.topup_figures from public;
  grant execute on function platform.post_topup, platform.topup_owner, platform.claim_topup_checks, platform.claim_topup_comparisons,
    platform.topup_figures to platform_app;
`;
