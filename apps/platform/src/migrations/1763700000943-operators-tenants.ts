import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators see of tenants and their ledgers, and the one way in which they give credits. */
export class OperatorsTenants1763700000943 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TENANTS, KEYS, VERIFY, GRANT, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql security definer set search_path = platform, pg_temp';

/** Newest first; p_search is a part of the slug or the name, or the whole id. Neither secrets nor the owner's address. */
const TENANTS = `
  create function platform.ops_tenants(p_id uuid, p_search text, p_before uuid, p_limit integer)
  returns table (id uuid, slug text, display_name text, plan text, environment text, created_at timestamptz, available bigint,
                 held bigint, open_holds bigint) ${AS_OWNER} as $$
  begin
    return query
    select t.id, t.slug, t.display_name, t.plan, t.environment, t.created_at, coalesce(a.available, 0), coalesce(a.held, 0),
           (select count(*) from credit_hold h where h.tenant_id = t.id and h.status = 'held' and p_id is not null)
      from tenant t left join credit_account a on a.tenant_id = t.id
     where (p_id is null or t.id = p_id) and (p_before is null or t.id < p_before)
       and (p_search is null or strpos(t.slug, lower(p_search)) > 0 or strpos(lower(t.display_name), lower(p_search)) > 0
            or t.id::text = lower(p_search))
     order by t.id desc limit p_limit;
  end $$`;

const KEYS = `
  create function platform.ops_keys(p_tenant_id uuid)
  returns table (prefix text, status text, created_at timestamptz, expires_at timestamptz) ${AS_OWNER} as $$
  begin
    return query
    select k.prefix, k.status, k.created_at, k.expires_at from api_key k
     where k.tenant_id = p_tenant_id order by k.id desc limit 20;
  end $$`;

/**
 * Holds every account against its entries and its holds, in one statement and so at one instant. drift: credits by which accounts
 * are off, whatever the direction. faults: where, at most 100.
 */
const VERIFY = `
  create function platform.ops_verify_ledger(p_tenant_id uuid)
  returns table (tenants bigint, entries bigint, drift_credits bigint, open_holds bigint, stale_holds bigint, faults jsonb)
  ${AS_OWNER} as $$
  begin
    return query
    with running as (
      select c.tenant_id, c.seq, c.amount, c.balance_after, sum(c.amount) over w as due_balance, row_number() over w as nth
        from credit_entry c where p_tenant_id is null or c.tenant_id = p_tenant_id
      window w as (partition by c.tenant_id order by c.seq)
    ), entry as (
      select r.tenant_id, sum(r.amount) as total, count(*) as entries,
             min(r.seq) filter (where r.balance_after <> r.due_balance) as first_wrong,
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
          ('balance_after_at_seq',
           (select r.due_balance::text from running r where r.tenant_id = c.tenant_id and r.seq = c.first_wrong),
           c.first_wrong || ': ' || (select r.balance_after from running r where r.tenant_id = c.tenant_id and r.seq = c.first_wrong),
           c.first_wrong is not null)
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

/** Gives credits once per reference: asked again, answers the entry that was made then. */
const GRANT = `
  create function platform.ops_grant(p_tenant_id uuid, p_amount integer, p_ref_id uuid, p_reason text)
  returns table (made boolean, id uuid, kind text, amount bigint, balance_after bigint, ref_id uuid, created_at timestamptz,
                 available bigint, held bigint) ${AS_OWNER} as $$
  declare
    known credit_entry;
    v_made boolean := false;
  begin
    perform 1 from credit_account a where a.tenant_id = p_tenant_id for update;
    select * into known from credit_entry e
     where e.ref_id = p_ref_id and e.ref_type = 'operator_grant' and e.kind = 'grant' and e.tenant_id = p_tenant_id;
    if not found then
      perform platform_v1.grant_credits(p_tenant_id, p_amount, 'operator_grant', p_ref_id, p_reason);
      v_made := true;
      select * into strict known from credit_entry e
       where e.ref_id = p_ref_id and e.ref_type = 'operator_grant' and e.kind = 'grant' and e.tenant_id = p_tenant_id;
    end if;
    return query
    select v_made, known.id, known.kind, known.amount, known.balance_after, known.ref_id, known.created_at, a.available, a.held
      from credit_account a where a.tenant_id = p_tenant_id;
  end $$`;

const NAMES = ['ops_tenants', 'ops_keys', 'ops_verify_ledger', 'ops_grant']
  .map((name) => `platform.${name}`)
  .join(', ');

const GRANTS = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to platform_app`;
