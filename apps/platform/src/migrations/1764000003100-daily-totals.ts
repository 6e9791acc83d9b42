import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Totals of the ledger per tenant, day, module, object and kind, so that usage and statements never read the entries of a year. A trigger
 * writes them in the statement that inserts the entries, whichever function or release inserts them: an entry is in the totals exactly
 * if it is in the ledger (ADR 0163).
 */
export class DailyTotals1764000003100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, TRIGGER, BACKFILL, VERIFY]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** day: of the entries' created_at, in Colombia. quantity and amount: sums of these columns of the entries. */
const TABLE = `
  create table platform.credit_daily_total (
    tenant_id uuid not null,
    day date not null,
    module text not null,
    ref_type text not null,
    kind text not null,
    entries bigint not null check (entries > 0),
    quantity bigint not null,
    amount bigint not null,
    primary key (tenant_id, day, module, ref_type, kind)
  ) with (fillfactor = 50);
  ${tenantTable('platform', 'credit_daily_total', ['select'])}`;

/**
 * The writer of entries of a tenant holds the lock of its account row already (post_entry and charge_batch update the account first,
 * charge_batch those of several tenants in the order of their ids). So nobody waits for a row of the totals, and no two transactions
 * take such rows in different orders.
 */
const TRIGGER = `
  create function platform.add_to_daily_totals() returns trigger language plpgsql as $$
  begin
    insert into platform.credit_daily_total as t (tenant_id, day, module, ref_type, kind, entries, quantity, amount)
    select a.tenant_id, (a.created_at at time zone 'America/Bogota')::date, a.module, a.ref_type, a.kind, count(*), sum(a.quantity),
           sum(a.amount)
      from added a
     group by 1, 2, 3, 4, 5
    on conflict (tenant_id, day, module, ref_type, kind) do update
       set entries = t.entries + excluded.entries, quantity = t.quantity + excluded.quantity, amount = t.amount + excluded.amount;
    return null;
  end $$;
  revoke all on function platform.add_to_daily_totals from public;
  create trigger credit_entry_daily_totals after insert on platform.credit_entry
    referencing new table as added for each statement execute function platform.add_to_daily_totals();`;

/** Creating the trigger has locked the ledger against writers until this transaction commits: no entry is missed, none counted twice. */
const BACKFILL = `
  insert into platform.credit_daily_total (tenant_id, day, module, ref_type, kind, entries, quantity, amount)
  select tenant_id, (created_at at time zone 'America/Bogota')::date, module, ref_type, kind, count(*), sum(quantity), sum(amount)
    from platform.credit_entry
   group by 1, 2, 3, 4, 5`;

/** As before; and totals that are not those of the entries, per tenant. */
const VERIFY = `
  create or replace function platform.verify_ledger(p_tenant_id uuid default null)
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
            or a.last_seq <> coalesce(e.last_seq, 0) or a.last_seq <> coalesce(e.entries, 0) or not coalesce(e.unbroken, true))
    union all
    select d.tenant_id, format('daily totals differ from the entries on %s days, first on %s', count(distinct d.day), min(d.day))
      from (select tenant_id, day, module, ref_type, kind, sum(entries) as entries, sum(quantity) as quantity, sum(amount) as amount
              from (select t.tenant_id, t.day, t.module, t.ref_type, t.kind, t.entries, t.quantity, t.amount
                      from platform.credit_daily_total t where p_tenant_id is null or t.tenant_id = p_tenant_id
                     union all
                    select c.tenant_id, (c.created_at at time zone 'America/Bogota')::date, c.module, c.ref_type, c.kind, -count(*),
                           -sum(c.quantity), -sum(c.amount)
                      from platform.credit_entry c where p_tenant_id is null or c.tenant_id = p_tenant_id
                     group by 1, 2, 3, 4, 5) both_sides
             group by tenant_id, day, module, ref_type, kind) d
     where d.entries <> 0 or d.quantity <> 0 or d.amount <> 0
     group by d.tenant_id
  $$;
`;
