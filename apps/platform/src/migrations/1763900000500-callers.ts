import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who calls platform_v1, and what for: the module comes from the role that is logged in, the tenant from the transaction (ADR 0128).
 * The ledger's functions are replaced here, the functions that emit events in 1764000000690.
 */
export class Callers1763900000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CALLER, POST_ENTRY, CHARGE, REFUND, HOLDS, CHARGE_BATCH, ACTS, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * Inside a SECURITY DEFINER function current_user is its owner, so the caller is who logged in, or who it turned into with SET ROLE. A
 * login role that is a member of a module's role acts for that module. Members of platform_owner (a superuser, too) can write the
 * tables themselves: they act for all, and without a tenant. The functions have no search_path of their own, so that Postgres inlines
 * them; every name in them is qualified, or of pg_catalog, which comes first.
 */
const CALLER = `
  create function platform.calling_role() returns name language sql stable as $$
    select coalesce(nullif(current_setting('role'), 'none'), session_user)::name
  $$;

  create function platform.is_administrator() returns boolean language sql stable as $$
    select pg_has_role(platform.calling_role(), 'platform_owner', 'member')
  $$;

  /* Whether the caller is of the module: identity, compliance, seal (whose schema is signing) or platform. */
  create function platform.acts_for(p_module text) returns boolean language sql stable as $$
    select coalesce(pg_has_role(platform.calling_role(), of_module.schema || '_app', 'member')
                 or pg_has_role(platform.calling_role(), of_module.schema || '_owner', 'member'), false)
           or platform.is_administrator()
      from (select case p_module when 'seal' then 'signing'
                                 when 'identity' then 'identity'
                                 when 'compliance' then 'compliance'
                                 when 'platform' then 'platform' end as schema offset 0) of_module
  $$;

  create or replace function platform.require_tenant(p_tenant_id uuid) returns void language plpgsql stable as $$
  begin
    if p_tenant_id is null
       or nullif(current_setting('app.tenant_id', true), '')::uuid is distinct from p_tenant_id
          and not (nullif(current_setting('app.tenant_id', true), '') is null and platform.is_administrator()) then
      raise exception 'the transaction does not belong to this tenant' using errcode = 'CN403';
    end if;
  end $$;

  create function platform.require_module(p_module text) returns void language plpgsql stable as $$
  begin
    if not platform.acts_for(p_module) then
      raise exception 'the role % does not act for the module %', platform.calling_role(), p_module using errcode = 'CN403';
    end if;
  end $$;
`;

/** As before, without the check of the tenant: the functions that call it know whose matter it is. */
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
`;

const CHARGE = `
  create or replace function platform_v1.charge(p_tenant_id uuid, p_module text, p_ref_type text, p_ref_id uuid, p_amount int)
  returns table (entry_id uuid, seq bigint, balance_after bigint)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    entry platform.credit_entry;
  begin
    perform require_tenant(p_tenant_id);
    perform require_module(p_module);
    entry := platform.post_entry(p_tenant_id, 'debit', -p_amount, p_amount, 0, 'tenant:available', 'system:revenue',
      p_module, p_ref_type, p_ref_id, null, null);
    return query select entry.id, entry.seq, entry.balance_after;
  end $$;
`;

/**
 * The sealing run gives credits back across tenants, through functions of the schema signing; signing_app itself may not call this
 * function, so a call for its module without a tenant comes from them.
 */
const REFUND = `
  create or replace function platform_v1.refund(p_tenant_id uuid, p_module text, p_ref_type text, p_ref_id uuid, p_amount int)
  returns table (entry_id uuid, seq bigint, balance_after bigint)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    entry platform.credit_entry;
  begin
    if p_module <> 'seal' or nullif(current_setting('app.tenant_id', true), '') is not null then
      perform require_tenant(p_tenant_id);
    end if;
    perform require_module(p_module);
    perform 1 from platform.credit_account where tenant_id = p_tenant_id for update;
    select * into entry from platform.credit_entry e
     where e.ref_id = p_ref_id and e.ref_type = p_ref_type and e.kind = 'refund' and e.tenant_id = p_tenant_id;
    if not found then
      if not exists (select 1 from platform.credit_entry e where e.ref_id = p_ref_id and e.ref_type = p_ref_type
                      and e.kind = 'debit' and e.tenant_id = p_tenant_id and e.module = p_module
                      and e.quantity >= p_amount) then
        raise exception 'nothing was debited for this object' using errcode = 'CN404';
      end if;
      entry := platform.post_entry(p_tenant_id, 'refund', p_amount, p_amount, 0, 'system:revenue', 'tenant:available',
        p_module, p_ref_type, p_ref_id, null, null);
    end if;
    return query select entry.id, entry.seq, entry.balance_after;
  end $$;
`;

/** Another module's hold, and another tenant's, are answered like one that does not exist. */
const HOLDS = `
  create or replace function platform_v1.hold(
    p_tenant_id uuid, p_module text, p_ref_type text, p_ref_id uuid, p_amount int, p_ttl_seconds int
  ) returns uuid language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    known platform.credit_hold;
    hold_id uuid := platform.uuid_v7();
  begin
    perform require_tenant(p_tenant_id);
    perform require_module(p_module);
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

  create function platform.settle_own_hold(p_hold_id uuid, p_status text) returns text language plpgsql as $$
  declare
    own platform.credit_hold;
  begin
    select * into own from platform.credit_hold where id = p_hold_id;
    if not found or not platform.acts_for(own.module) then
      raise exception 'no such hold' using errcode = 'CN404';
    end if;
    perform platform.require_tenant(own.tenant_id);
    return platform.settle_hold(p_hold_id, p_status);
  end $$;
  create or replace function platform_v1.capture(p_hold_id uuid) returns text
  language sql security definer set search_path = platform, pg_temp as $$ select settle_own_hold(p_hold_id, 'captured') $$;
  create or replace function platform_v1.release(p_hold_id uuid) returns text
  language sql security definer set search_path = platform, pg_temp as $$ select settle_own_hold(p_hold_id, 'released') $$;
`;

const CHARGE_BATCH = `
  /* Members of each item: ord, tenant_id, module, ref_type, ref_id, amount. Answers the ords that were debited: an item that does
     not fit is left out, and a smaller one after it may still fit. Accounts must be locked already. */
  create or replace function platform_v1.charge_batch(p_items jsonb) returns int[]
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    accepted int[];
    item record;
    tight record;
    left_over bigint;
  begin
    perform require_module(m.module)
       from (select distinct i.module from jsonb_to_recordset(p_items) as i(module text)) m;
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

/** A module's operators' acts have types of its own; whatever is nobody else's is the platform's. */
const ACTS = `
  create function platform.module_of_act(p_type text) returns text
  language sql immutable set search_path = pg_catalog, pg_temp as $$
    select case
      when split_part(p_type, '.', 1) in ('list', 'case', 'screening', 'rule', 'monitoring') then 'compliance'
      when split_part(p_type, '.', 1) in ('seal', 'envelope', 'signature', 'template') then 'seal'
      when split_part(p_type, '.', 1) in ('session', 'subject', 'flow') then 'identity'
      else 'platform'
    end
  $$;

  create or replace function platform_v1.record_act(p_type text, p_operator text, p_tenant_id uuid, p_data text)
  returns table (seq int, hash text)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    act platform.operator_act;
  begin
    if p_type !~ '^[a-z]+[.][a-z_]+$' or p_operator is null or p_operator = '' then
      raise exception 'an act has a type and an operator' using errcode = 'invalid_parameter_value';
    end if;
    perform require_module(module_of_act(p_type));
    act := append_operator_act(jsonb_build_object(
      'type', p_type, 'operator', p_operator, 'tenant_id', p_tenant_id, 'data', p_data));
    return query select act.seq, act.hash;
  end $$;
`;

/**
 * Functions that work on several tenants at once are for the modules' own functions (commit_work and the sealing run), which run as
 * the owner of their schema: no process calls them itself.
 */
const GRANTS = `
  revoke all on function platform.calling_role, platform.is_administrator, platform.acts_for, platform.require_module,
    platform.settle_own_hold, platform.module_of_act from public;
  revoke execute on function platform_v1.lock_accounts, platform_v1.charge_batch
    from platform_app, identity_app, compliance_app, signing_app;
  revoke execute on function platform_v1.refund from platform_app, signing_app;
`;
