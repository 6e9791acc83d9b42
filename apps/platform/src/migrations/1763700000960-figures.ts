import type { MigrationInterface, QueryRunner } from 'typeorm';

const AS_OWNER = 'stable security definer set search_path = platform, pg_temp set enable_seqscan = off set jit = off';

/**
 * How far the accounts of the next p_tenants tenants after p_after are from what follows from their entries and holds, in credits;
 * 0 for every one when the ledger is sound. Looks at the newest p_entries entries of each, so that a call costs the same however
 * long the ledger is: verify_ledger goes through all. An entry that is missing counts as one credit, whatever its amount was.
 */
const LEDGER_DRIFT = `
  create function platform.ledger_drift(p_after uuid, p_tenants integer, p_entries integer)
  returns table (tenant_id uuid, drift bigint)
  language sql ${AS_OWNER} as $$
    with accounts as materialized (
      select a.* from credit_account a
       where p_after is null or a.tenant_id > p_after
       order by a.tenant_id limit p_tenants
    ), holds as materialized (
      select h.tenant_id, sum(h.amount) as held from credit_hold h where h.status = 'held' group by h.tenant_id
    )
    select a.tenant_id,
           (abs(a.available - coalesce(chain.balance, 0)) + abs(a.held - coalesce(h.held, 0))
             + abs(a.last_seq - coalesce(chain.last_seq, 0)) + coalesce(chain.breaks, 0))::bigint
      from accounts a
      left join holds h on h.tenant_id = a.tenant_id
     cross join lateral (
       select max(n.seq) as last_seq, (array_agg(n.balance_after order by n.seq desc))[1] as balance,
              sum(case when n.before is null and n.seq > 1 then 0
                       else abs(n.balance_after - coalesce(n.before, 0) - n.amount) + abs(n.seq - coalesce(n.seq_before, 0) - 1) end) as breaks
         from (select e.seq, e.amount, e.balance_after, lag(e.balance_after) over newer as before, lag(e.seq) over newer as seq_before
                 from (select x.seq, x.amount, x.balance_after from credit_entry x
                        where x.tenant_id = a.tenant_id order by x.seq desc limit p_entries) e
               window newer as (order by e.seq)) n) chain
     order by a.tenant_id
  $$`;

/** Seconds that the oldest mails have been waiting to be taken by the mail server; 0 when none waits. */
const MAILS = [
  `create function platform.recovery_mail_lag() returns double precision
   language sql ${AS_OWNER} as $$
     select coalesce(extract(epoch from now() - min(created_at)), 0)::double precision from recovery_request
   $$`,
  `create function platform.disabled_notice_lag() returns double precision
   language sql ${AS_OWNER} as $$
     select coalesce(extract(epoch from now() - min(disabled_at)), 0)::double precision
       from webhook_endpoint where notice_due_at is not null
   $$`,
];

const FUNCTIONS = 'platform.ledger_drift, platform.recovery_mail_lag, platform.disabled_notice_lag';

/** What operators are shown of the ledger and of mails. */
export class Figures1763700000960 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [LEDGER_DRIFT, ...MAILS]) await runner.query(statement);
    await runner.query(`revoke all on function ${FUNCTIONS} from public`);
    await runner.query(`grant execute on function ${FUNCTIONS} to platform_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${FUNCTIONS}`);
  }
}
