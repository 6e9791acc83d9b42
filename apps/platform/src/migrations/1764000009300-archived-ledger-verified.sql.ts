/** As before, from where the archived entries of an account end: its balance and its number of entries there count as read. */
export const VERIFY_LEDGER = `
  create or replace function platform.verify_ledger(p_tenant_id uuid default null)
  returns table (tenant_id uuid, problem text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    with closing as (
      select x.tenant_id, x.through_seq, x.balance_after from ledger_closings(p_tenant_id) x
    ), entries as (
      select e.tenant_id, (array_agg(e.running order by e.seq desc))[1] as total, max(e.seq) as last_seq,
             max(e.archived) + count(*) as entries, bool_and(e.balance_after = e.running) as unbroken
        from (select c.*, coalesce(x.through_seq, 0) as archived,
                     coalesce(x.balance_after, 0) + sum(c.amount) over (partition by c.tenant_id order by c.seq) as running
                from platform.credit_entry c left join closing x on x.tenant_id = c.tenant_id
               where (p_tenant_id is null or c.tenant_id = p_tenant_id) and c.seq > coalesce(x.through_seq, 0)) e
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
              from (select t.tenant_id, t.day, t.module, t.ref_type, t.kind, t.entries - t.archived_entries as entries,
                           t.quantity - t.archived_quantity as quantity, t.amount - t.archived_amount as amount
                      from platform.credit_daily_total t where p_tenant_id is null or t.tenant_id = p_tenant_id
                     union all
                    select c.tenant_id, (c.created_at at time zone 'America/Bogota')::date, c.module, c.ref_type, c.kind, -count(*),
                           -sum(c.quantity), -sum(c.amount)
                      from platform.credit_entry c where p_tenant_id is null or c.tenant_id = p_tenant_id
                     group by 1, 2, 3, 4, 5) both_sides
             group by tenant_id, day, module, ref_type, kind) d
     where d.entries <> 0 or d.quantity <> 0 or d.amount <> 0
     group by d.tenant_id
  $$`;

/** As before, from where the archived entries end. entries: those that were read; beside it how many the files have. */
export const OPS_VERIFY_LEDGER = `
  create or replace function platform.ops_verify_ledger(p_tenant_id uuid)
  returns table (tenants bigint, entries bigint, drift_credits bigint, open_holds bigint, stale_holds bigint, faults jsonb)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    return query
    with closing as (
      select x.tenant_id, x.through_seq, x.balance_after from ledger_closings(p_tenant_id) x
    ), running as (
      select c.tenant_id, c.seq, c.amount, c.balance_after,
             (coalesce(x.balance_after, 0) + sum(c.amount) over w)::bigint as due_balance,
             coalesce(x.through_seq, 0) + row_number() over w as nth
        from credit_entry c left join closing x on x.tenant_id = c.tenant_id
       where (p_tenant_id is null or c.tenant_id = p_tenant_id) and c.seq > coalesce(x.through_seq, 0)
      window w as (partition by c.tenant_id order by c.seq rows unbounded preceding)
    ), entry as (
      select r.tenant_id, sum(r.amount) as amount, count(*) as entries,
             min(array[r.seq, r.due_balance, r.balance_after]) filter (where r.balance_after <> r.due_balance) as first_wrong,
             min(r.seq) filter (where r.seq <> r.nth) as first_gap
        from running r group by r.tenant_id
    ), hold as (
      select h.tenant_id, sum(h.amount) as held, count(*) as open, count(*) filter (where h.expires_at < now()) as stale
        from credit_hold h where h.status = 'held' and (p_tenant_id is null or h.tenant_id = p_tenant_id) group by h.tenant_id
    ), account as (
      select coalesce(a.tenant_id, e.tenant_id) as tenant_id, coalesce(a.available, 0) as available, coalesce(a.held, 0) as held,
             coalesce(a.last_seq, 0) as last_seq, (coalesce(x.balance_after, 0) + coalesce(e.amount, 0))::bigint as total,
             coalesce(e.entries, 0) as entries, coalesce(x.through_seq, 0) as archived, e.first_wrong, e.first_gap
        from (select * from credit_account x where p_tenant_id is null or x.tenant_id = p_tenant_id) a
        full join entry e on e.tenant_id = a.tenant_id
        left join closing x on x.tenant_id = coalesce(a.tenant_id, e.tenant_id)
    ), checked as (
      select c.*, coalesce(h.held, 0)::bigint as due_held, coalesce(h.open, 0) as open, coalesce(h.stale, 0) as stale
        from account c left join hold h on h.tenant_id = c.tenant_id
    ), fault as (
      select c.tenant_id, f.what, f.expected, f.found
        from checked c cross join lateral (values
          ('available', c.total::text, c.available::text, c.available <> c.total),
          ('held', c.due_held::text, c.held::text, c.held <> c.due_held),
          ('last_seq', (c.archived + c.entries)::text, c.last_seq::text, c.last_seq <> c.archived + c.entries),
          ('gap_before_seq', null, c.first_gap::text, c.first_gap is not null),
          ('balance_after_at_seq', c.first_wrong[2]::text, c.first_wrong[1] || ': ' || c.first_wrong[3], c.first_wrong is not null)
        ) as f(what, expected, found, wrong)
       where f.wrong limit 100
    )
    select count(*), coalesce(sum(c.entries), 0)::bigint,
           coalesce(sum(abs(c.available - c.total) + abs(c.held - c.due_held)), 0)::bigint,
           coalesce(sum(c.open), 0)::bigint, coalesce(sum(c.stale), 0)::bigint,
           (select coalesce(jsonb_agg(jsonb_build_object('tenant_id', f.tenant_id, 'slug', t.slug, 'what', f.what,
                                                         'expected', f.expected, 'found', f.found)
                                     order by f.tenant_id, f.what), '[]')
              from fault f left join tenant t on t.id = f.tenant_id)
      from checked c;
  end $$;
  create function platform.ops_archived_entries(p_tenant_id uuid) returns bigint
  language sql stable security definer set search_path = platform, pg_temp as $$
    select coalesce(sum(x.through_seq), 0)::bigint from ledger_closings(p_tenant_id) x
  $$;
  revoke all on function platform.ops_archived_entries from public`;

/** As before; entries that stayed when those around them were archived are no part of what follows the newest file. */
export const LEDGER_DRIFT = `
  create or replace function platform.ledger_drift(p_after uuid, p_tenants integer, p_entries integer)
  returns table (tenant_id uuid, drift bigint)
  language sql stable security definer set search_path = platform, pg_temp set enable_seqscan = off set jit = off as $$
    with accounts as materialized (
      select a.*, coalesce(closing.through_seq, 0) as archived, coalesce(closing.balance_after, 0) as opening
        from (select * from credit_account c where p_after is null or c.tenant_id > p_after order by c.tenant_id limit p_tenants) a
        left join lateral (select x.through_seq, x.balance_after from ledger_archive x where x.tenant_id = a.tenant_id
                            order by x.through_seq desc limit 1) closing on true
    ), holds as materialized (
      select h.tenant_id, sum(h.amount) as held from credit_hold h where h.status = 'held' group by h.tenant_id
    )
    select a.tenant_id,
           (abs(a.available - coalesce(chain.balance, a.opening)) + abs(a.held - coalesce(h.held, 0))
             + abs(a.last_seq - coalesce(chain.last_seq, a.archived)) + coalesce(chain.breaks, 0))::bigint
      from accounts a
      left join holds h on h.tenant_id = a.tenant_id
     cross join lateral (
       select max(n.seq) as last_seq, (array_agg(n.balance_after order by n.seq desc))[1] as balance,
              sum(case when n.before is null and n.seq > a.archived + 1 then 0
                       else abs(n.balance_after - coalesce(n.before, a.opening) - n.amount)
                            + abs(n.seq - coalesce(n.seq_before, a.archived) - 1) end) as breaks
         from (select e.seq, e.amount, e.balance_after, lag(e.balance_after) over newer as before, lag(e.seq) over newer as seq_before
                 from (select x.seq, x.amount, x.balance_after from credit_entry x
                        where x.tenant_id = a.tenant_id and x.seq > a.archived order by x.seq desc limit p_entries) e
               window newer as (order by e.seq)) n) chain
     order by a.tenant_id
  $$`;
