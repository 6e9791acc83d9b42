import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ledgers are verified in one pass over their entries: before, all entries were read again for each account. */
export class LedgerVerifiedInOnePass1764000005530 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(VERIFY);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** As before. first_wrong: seq, due and found balance of an account's first entry whose balance is wrong. */
const VERIFY = `
  create or replace function platform.ops_verify_ledger(p_tenant_id uuid)
  returns table (tenants bigint, entries bigint, drift_credits bigint, open_holds bigint, stale_holds bigint, faults jsonb)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    return query
    with running as (
      select c.tenant_id, c.seq, c.amount, c.balance_after, (sum(c.amount) over w)::bigint as due_balance, row_number() over w as nth
        from credit_entry c where p_tenant_id is null or c.tenant_id = p_tenant_id
      window w as (partition by c.tenant_id order by c.seq rows unbounded preceding)
    ), entry as (
      select r.tenant_id, sum(r.amount) as total, count(*) as entries,
             min(array[r.seq, r.due_balance, r.balance_after]) filter (where r.balance_after <> r.due_balance) as first_wrong,
             min(r.seq) filter (where r.seq <> r.nth) as first_gap
        from running r group by r.tenant_id
    ), hold as (
      select h.tenant_id, sum(h.amount) as held, count(*) as open, count(*) filter (where h.expires_at < now()) as stale
        from credit_hold h where h.status = 'held' and (p_tenant_id is null or h.tenant_id = p_tenant_id) group by h.tenant_id
    ), account as (
      select coalesce(a.tenant_id, e.tenant_id) as tenant_id, coalesce(a.available, 0) as available, coalesce(a.held, 0) as held,
             coalesce(a.last_seq, 0) as last_seq, coalesce(e.total, 0)::bigint as total, coalesce(e.entries, 0) as entries,
             e.first_wrong, e.first_gap
        from (select * from credit_account x where p_tenant_id is null or x.tenant_id = p_tenant_id) a
        full join entry e on e.tenant_id = a.tenant_id
    ), checked as (
      select c.*, coalesce(h.held, 0)::bigint as due_held, coalesce(h.open, 0) as open, coalesce(h.stale, 0) as stale
        from account c left join hold h on h.tenant_id = c.tenant_id
    ), fault as (
      select c.tenant_id, f.what, f.expected, f.found
        from checked c cross join lateral (values
          ('available', c.total::text, c.available::text, c.available <> c.total),
          ('held', c.due_held::text, c.held::text, c.held <> c.due_held),
          ('last_seq', c.entries::text, c.last_seq::text, c.last_seq <> c.entries),
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
  end $$`;
