import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tenants, API keys and the credit ledger, and what the other modules may call of them (platform_v1). */
export class TenantsAndLedger1763700000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UUID_V7);
    await runner.query(TENANTS);
    await runner.query(LEDGER);
    await runner.query(LEDGER_FUNCTIONS);
    await runner.query(HOLD_FUNCTIONS);
    await runner.query(BATCH_FUNCTIONS);
    await runner.query(RESOLVE_API_KEY);
    await runner.query(GRANTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** RFC 9562 §5.7, for rows that the database makes itself: PostgreSQL's own function from 18 on, the same in SQL before. */
const UUID_V7 = `
  do $do$ begin
    if current_setting('server_version_num')::int >= 180000 then
      create function platform.uuid_v7() returns uuid language sql volatile parallel safe as 'select uuidv7()';
    else
      create function platform.uuid_v7() returns uuid language sql volatile parallel safe as $$
        select encode(
          set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
              placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
            52, 1), 53, 1), 'hex')::uuid
      $$;
    end if;
  end $do$;
`;

const TENANTS = `
  create table platform.tenant (
    id uuid primary key,
    slug text not null constraint tenant_slug_key unique,
    display_name text not null,
    owner_email text not null,
    plan text not null check (plan in ('sandbox', 'standard')),
    environment text not null check (environment in ('sandbox', 'production')),
    locale text not null default 'es-CO' check (locale in ('es-CO', 'en')),
    webhook_secret bytea not null,
    previous_webhook_secret bytea,
    previous_webhook_secret_expires_at timestamptz,
    webhook_secret_rotated_at timestamptz,
    created_at timestamptz not null default now()
  );
  alter table platform.tenant enable row level security;
  alter table platform.tenant force row level security;
  create policy tenant_rows on platform.tenant to platform_app
    using (id = nullif(current_setting('app.tenant_id', true), '')::uuid)
    with check (id = nullif(current_setting('app.tenant_id', true), '')::uuid);
  create policy owner_rows on platform.tenant to platform_owner using (true) with check (true);
  grant select, update on platform.tenant to platform_app;

  create table platform.api_key (
    id uuid primary key,
    tenant_id uuid not null references platform.tenant,
    key_hash bytea not null constraint api_key_hash_key unique,
    prefix text not null,
    status text not null check (status in ('active', 'expiring', 'revoked')),
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    rotated_at timestamptz
  );
  create index api_key_by_tenant on platform.api_key (tenant_id, status);
  ${tenantTable('platform', 'api_key', ['select'])}

  create table platform.recovery_token (
    token_hash bytea primary key,
    tenant_id uuid not null references platform.tenant,
    expires_at timestamptz not null,
    used_at timestamptz,
    created_at timestamptz not null default now()
  );
  ${tenantTable('platform', 'recovery_token', [])}
`;

/** One row carries both legs: quantity moves from debit_account to credit_account. amount is its effect on \`available\`. */
const LEDGER = `
  create table platform.credit_account (
    tenant_id uuid primary key references platform.tenant,
    available bigint not null default 0 check (available >= 0),
    held bigint not null default 0 check (held >= 0),
    last_seq bigint not null default 0
  ) with (fillfactor = 50);
  ${tenantTable('platform', 'credit_account', ['select'])}

  create table platform.credit_entry (
    id uuid not null default platform.uuid_v7(),
    tenant_id uuid not null,
    seq bigint not null,
    kind text not null check (kind in ('grant', 'debit', 'refund', 'hold', 'capture', 'release')),
    amount bigint not null,
    quantity bigint not null check (quantity > 0),
    balance_after bigint not null check (balance_after >= 0),
    debit_account text not null,
    credit_account text not null,
    module text not null,
    ref_type text not null,
    ref_id uuid not null,
    hold_id uuid,
    reason text,
    created_at timestamptz not null default now(),
    primary key (tenant_id, seq),
    constraint credit_entry_once_per_object unique (ref_id, ref_type, kind)
  );
  create index credit_entry_by_time on platform.credit_entry (tenant_id, created_at);
  ${tenantTable('platform', 'credit_entry', ['select'])}

  create table platform.credit_hold (
    id uuid primary key default platform.uuid_v7(),
    tenant_id uuid not null references platform.tenant,
    module text not null,
    ref_type text not null,
    ref_id uuid not null,
    amount bigint not null check (amount > 0),
    status text not null check (status in ('held', 'captured', 'released')),
    expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    settled_at timestamptz,
    constraint credit_hold_once_per_object unique (ref_id, ref_type)
  );
  create index credit_hold_stale on platform.credit_hold (expires_at) where status = 'held';
  ${tenantTable('platform', 'credit_hold', ['select'])}

  create function platform.refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '%.% is append-only', tg_table_schema, tg_table_name using errcode = 'CN403';
  end $$;
  create trigger credit_entry_append_only before update or delete or truncate on platform.credit_entry
    for each statement execute function platform.refuse_change();
`;

/**
 * SQLSTATEs of ours: CN402 too few credits, CN403 append-only, CN404 no such thing, CN409 wrong state.
 * The update of the account row comes first, because it locks; callers put the whole call last before their commit.
 */
const LEDGER_FUNCTIONS = `
  create function platform.require_tenant(p_tenant_id uuid) returns void language plpgsql stable as $$
  begin
    if nullif(current_setting('app.tenant_id', true), '')::uuid <> p_tenant_id then
      raise exception 'the transaction belongs to another tenant' using errcode = 'CN403';
    end if;
  end $$;

  create function platform.post_entry(
    p_tenant_id uuid, p_kind text, p_amount bigint, p_quantity bigint, p_held bigint, p_from text, p_to text,
    p_module text, p_ref_type text, p_ref_id uuid, p_hold_id uuid, p_reason text
  ) returns platform.credit_entry language plpgsql as $$
  declare
    account platform.credit_account;
    entry platform.credit_entry;
  begin
    perform platform.require_tenant(p_tenant_id);
    update platform.credit_account a
       set available = a.available + p_amount, held = a.held + p_held, last_seq = a.last_seq + 1
     where a.tenant_id = p_tenant_id and a.available + p_amount >= 0
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

  create function platform_v1.charge(p_tenant_id uuid, p_module text, p_ref_type text, p_ref_id uuid, p_amount int)
  returns table (entry_id uuid, seq bigint, balance_after bigint)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    entry platform.credit_entry;
  begin
    entry := platform.post_entry(p_tenant_id, 'debit', -p_amount, p_amount, 0, 'tenant:available', 'system:revenue',
      p_module, p_ref_type, p_ref_id, null, null);
    return query select entry.id, entry.seq, entry.balance_after;
  end $$;

  create function platform_v1.refund(p_tenant_id uuid, p_module text, p_ref_type text, p_ref_id uuid, p_amount int)
  returns table (entry_id uuid, seq bigint, balance_after bigint)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    entry platform.credit_entry;
  begin
    perform 1 from platform.credit_account where tenant_id = p_tenant_id for update;
    select * into entry from platform.credit_entry e
     where e.ref_id = p_ref_id and e.ref_type = p_ref_type and e.kind = 'refund' and e.tenant_id = p_tenant_id;
    if not found then
      if not exists (select 1 from platform.credit_entry e where e.ref_id = p_ref_id and e.ref_type = p_ref_type
                      and e.kind = 'debit' and e.tenant_id = p_tenant_id and e.quantity >= p_amount) then
        raise exception 'nothing was debited for this object' using errcode = 'CN404';
      end if;
      entry := platform.post_entry(p_tenant_id, 'refund', p_amount, p_amount, 0, 'system:revenue', 'tenant:available',
        p_module, p_ref_type, p_ref_id, null, null);
    end if;
    return query select entry.id, entry.seq, entry.balance_after;
  end $$;

  create function platform_v1.grant_credits(p_tenant_id uuid, p_amount int, p_ref_type text, p_ref_id uuid, p_reason text)
  returns table (entry_id uuid, seq bigint, balance_after bigint)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    entry platform.credit_entry;
  begin
    insert into platform.credit_account (tenant_id) values (p_tenant_id) on conflict do nothing;
    entry := platform.post_entry(p_tenant_id, 'grant', p_amount, p_amount, 0, 'system:grants', 'tenant:available',
      'platform', p_ref_type, p_ref_id, null, p_reason);
    return query select entry.id, entry.seq, entry.balance_after;
  end $$;
`;

const HOLD_FUNCTIONS = `
  create function platform_v1.hold(
    p_tenant_id uuid, p_module text, p_ref_type text, p_ref_id uuid, p_amount int, p_ttl_seconds int
  ) returns uuid language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    known platform.credit_hold;
    hold_id uuid := platform.uuid_v7();
  begin
    perform 1 from platform.credit_account where tenant_id = p_tenant_id for update;
    select * into known from platform.credit_hold h
     where h.ref_id = p_ref_id and h.ref_type = p_ref_type and h.tenant_id = p_tenant_id;
    if found and known.status <> 'held' then
      raise exception 'the hold was % already', known.status using errcode = 'CN409';
    elsif found then
      return known.id;
    end if;
    insert into platform.credit_hold (id, tenant_id, module, ref_type, ref_id, amount, status, expires_at)
    values (hold_id, p_tenant_id, p_module, p_ref_type, p_ref_id, p_amount, 'held', now() + make_interval(secs => p_ttl_seconds));
    perform platform.post_entry(p_tenant_id, 'hold', -p_amount, p_amount, p_amount, 'tenant:available', 'tenant:held',
      p_module, p_ref_type, p_ref_id, hold_id, null);
    return hold_id;
  end $$;

  create function platform.settle_hold(p_hold_id uuid, p_status text) returns text language plpgsql as $$
  declare
    known platform.credit_hold;
  begin
    select * into known from platform.credit_hold where id = p_hold_id;
    if not found then
      raise exception 'no such hold' using errcode = 'CN404';
    end if;
    perform 1 from platform.credit_account where tenant_id = known.tenant_id for update;
    select * into known from platform.credit_hold where id = p_hold_id for update;
    if known.status = p_status then
      return known.status;
    end if;
    if known.status <> 'held' then
      raise exception 'the hold was % already', known.status using errcode = 'CN409';
    end if;
    update platform.credit_hold set status = p_status, settled_at = now() where id = p_hold_id;
    if p_status = 'captured' then
      perform platform.post_entry(known.tenant_id, 'capture', 0, known.amount, -known.amount, 'tenant:held', 'system:revenue',
        known.module, known.ref_type, known.ref_id, known.id, null);
    else
      perform platform.post_entry(known.tenant_id, 'release', known.amount, known.amount, -known.amount, 'tenant:held',
        'tenant:available', known.module, known.ref_type, known.ref_id, known.id, null);
    end if;
    return p_status;
  end $$;

  create function platform_v1.capture(p_hold_id uuid) returns text
  language sql security definer set search_path = platform, pg_temp as $$ select platform.settle_hold(p_hold_id, 'captured') $$;
  create function platform_v1.release(p_hold_id uuid) returns text
  language sql security definer set search_path = platform, pg_temp as $$ select platform.settle_hold(p_hold_id, 'released') $$;

  create function platform.reap_holds(p_limit int default 100) returns int
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    stale uuid;
    reaped int := 0;
  begin
    for stale in
      select h.id from platform.credit_hold h where h.status = 'held' and h.expires_at < now() order by h.tenant_id limit p_limit
    loop
      begin
        perform platform.settle_hold(stale, 'released');
        reaped := reaped + 1;
      exception when sqlstate 'CN409' then
        null; -- settled by its owner meanwhile
      end;
    end loop;
    return reaped;
  end $$;

  /* Every tenant whose account does not follow from its entries and holds. No rows: the ledger is sound. */
  create function platform.verify_ledger(p_tenant_id uuid default null)
  returns table (tenant_id uuid, problem text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    with entries as (
      select e.tenant_id, sum(e.amount) as total, count(*) as entries, max(e.seq) as last_seq,
             bool_and(e.balance_after = e.running) as unbroken
        from (select c.*, sum(c.amount) over (partition by c.tenant_id order by c.seq) as running from platform.credit_entry c
               where p_tenant_id is null or c.tenant_id = p_tenant_id) e
       group by e.tenant_id
    ), holds as (
      select h.tenant_id, sum(h.amount) as held from platform.credit_hold h where h.status = 'held' group by h.tenant_id
    )
    select a.tenant_id, format('available %s held %s last_seq %s; entries say %s, %s, %s of %s, unbroken %s', a.available, a.held,
             a.last_seq, coalesce(e.total, 0), coalesce(h.held, 0), coalesce(e.last_seq, 0), coalesce(e.entries, 0), e.unbroken)
      from platform.credit_account a
      left join entries e on e.tenant_id = a.tenant_id
      left join holds h on h.tenant_id = a.tenant_id
     where (p_tenant_id is null or a.tenant_id = p_tenant_id)
       and (a.available <> coalesce(e.total, 0) or a.held <> coalesce(h.held, 0)
            or a.last_seq <> coalesce(e.last_seq, 0) or a.last_seq <> coalesce(e.entries, 0) or not coalesce(e.unbroken, true));
  $$;
`;

/**
 * The hot path: many debits in one transaction, so that one tenant's balance row is not limited to one commit per disk
 * flush. lock_accounts is a statement of its own: what follows it sees everything that committed while it waited.
 */
const BATCH_FUNCTIONS = `
  create function platform_v1.lock_accounts(p_tenant_ids uuid[]) returns void
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    perform 1 from platform.credit_account where tenant_id = any (p_tenant_ids) order by tenant_id for update;
  end $$;

  /* Members of each item: ord, tenant_id, module, ref_type, ref_id, amount. Answers the ords that were debited: an item that does
     not fit is left out, and a smaller one after it may still fit. Accounts must be locked already. */
  create function platform_v1.charge_batch(p_items jsonb) returns int[]
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    accepted int[];
    item record;
    tight record;
    left_over bigint;
  begin
    select coalesce(array_agg(i.ord), '{}') into accepted
      from jsonb_to_recordset(p_items) as i(ord int, tenant_id uuid, amount int)
      join (select t.tenant_id from jsonb_to_recordset(p_items) as t(tenant_id uuid, amount int)
              join platform.credit_account a on a.tenant_id = t.tenant_id
             group by t.tenant_id, a.available having sum(t.amount) <= a.available) fits on fits.tenant_id = i.tenant_id;
    if cardinality(accepted) < jsonb_array_length(p_items) then
      for tight in
        select a.tenant_id, a.available from platform.credit_account a
         where a.tenant_id in (select t.tenant_id from jsonb_to_recordset(p_items) as t(ord int, tenant_id uuid)
                                where t.ord <> all (accepted))
      loop
        left_over := tight.available;
        for item in
          select i.ord, i.amount from jsonb_to_recordset(p_items) as i(ord int, tenant_id uuid, amount int)
           where i.tenant_id = tight.tenant_id order by i.ord
        loop
          if item.amount <= left_over then
            left_over := left_over - item.amount;
            accepted := accepted || item.ord;
          end if;
        end loop;
      end loop;
    end if;

    with debit as (
      select i.*, row_number() over (partition by i.tenant_id order by i.ord) as nth,
             sum(i.amount) over (partition by i.tenant_id order by i.ord) as running
        from jsonb_to_recordset(p_items) as i(ord int, tenant_id uuid, module text, ref_type text, ref_id uuid, amount int)
       where i.ord = any (accepted)
    ), account as (
      update platform.credit_account a
         set available = a.available - d.total, last_seq = a.last_seq + d.entries
        from (select tenant_id, sum(amount) as total, count(*) as entries from debit group by tenant_id) d
       where a.tenant_id = d.tenant_id
       returning a.tenant_id, a.available + d.total as opening, a.last_seq - d.entries as opening_seq
    )
    insert into platform.credit_entry
      (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id)
    select d.tenant_id, a.opening_seq + d.nth, 'debit', -d.amount, d.amount, a.opening - d.running, 'tenant:available',
           'system:revenue', d.module, d.ref_type, d.ref_id
      from debit d join account a on a.tenant_id = d.tenant_id;
    return accepted;
  end $$;
`;

const RESOLVE_API_KEY = `
  create function platform_v1.resolve_api_key(p_hash bytea)
  returns table (key_id uuid, tenant_id uuid, key_hash bytea, key_prefix text, slug text, display_name text, plan text,
                 environment text, expires_at timestamptz)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select k.id, t.id, k.key_hash, k.prefix, t.slug, t.display_name, t.plan, t.environment, k.expires_at
      from platform.api_key k join platform.tenant t on t.id = k.tenant_id
     where k.key_hash = p_hash and k.status <> 'revoked' and (k.expires_at is null or k.expires_at > now())
  $$;
`;

const CALLERS = [
  'platform_app', 'identity_app', 'identity_owner', 'compliance_app', 'compliance_owner', 'signing_app', 'signing_owner',
].join(', '); // prettier-ignore

const GRANTS = `
  revoke all on all functions in schema platform from public;
  revoke all on all functions in schema platform_v1 from public;
  grant execute on all functions in schema platform_v1 to ${CALLERS};
  revoke execute on function platform_v1.grant_credits from ${CALLERS};
  grant execute on function platform.reap_holds, platform.verify_ledger to platform_app;
`;
