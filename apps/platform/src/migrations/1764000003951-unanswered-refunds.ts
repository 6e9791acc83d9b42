import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refunds that were decided on and have no answer of the provider: for the sweep that sends them again. */
export class UnansweredRefunds1764000003951 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [UNANSWERED, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Sending for at least so many seconds, in random order: one that the provider keeps refusing does not hold up the others. */
const UNANSWERED = `
  create function platform.unanswered_refunds(p_seconds integer, p_limit integer) returns table (id uuid, tenant_id uuid)
  language sql volatile security definer set search_path = platform, pg_temp as $$
    select r.id, r.tenant_id from topup_refund r
     where r.status = 'sending' and coalesce(r.ended_at, r.requested_at) <= now() - make_interval(secs => p_seconds)
     order by random() limit p_limit
  $$`;

const GRANTS = `
  revoke all on function platform.unanswered_refunds from public;
  grant execute on function platform.unanswered_refunds to platform_app`;
