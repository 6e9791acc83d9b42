import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Refunds of payments by operators: (pending →) sending → done, or pending → withdrawn. A row is sending before the provider is asked, and
 * its id is the provider's idempotency key, so that a repetition refunds once.
 */
export class TopupRefunds1764000003700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, LIST, ALONE, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql security definer set search_path = platform, pg_temp';

const TABLE = `
  create table platform.topup_refund (
    id uuid primary key,
    tenant_id uuid not null references platform.tenant,
    topup_id uuid not null references platform.topup,
    payment_id text not null,
    reference text not null,
    amount_cents bigint not null check (amount_cents > 0),
    is_rest boolean not null,
    refunded_before_cents bigint not null check (refunded_before_cents >= 0),
    credits integer not null check (credits > 0),
    reason text not null,
    requested_by text not null,
    requested_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    status text not null check (status in ('pending', 'sending', 'done', 'withdrawn')),
    ended_by text,
    ended_at timestamptz(3),
    check (status <> 'withdrawn' or ended_by is not null),
    check (status in ('pending', 'withdrawn') or ended_by is distinct from requested_by)
  );
  create unique index topup_refund_once on platform.topup_refund (topup_id, reference) where status <> 'withdrawn';
  create unique index topup_refund_sending on platform.topup_refund (topup_id, payment_id) where status = 'sending';
  create index topup_refund_open on platform.topup_refund (id) where status in ('pending', 'sending');
  ${tenantTable('platform', 'topup_refund')}`;

/** One by id, or all that wait: for a second operator, or for the provider. The newest first. */
const LIST = `
  create function platform.ops_topup_refunds(p_id uuid, p_before uuid, p_limit integer)
  returns table (id uuid, tenant_id uuid, slug text, topup_id uuid, payment_id text, reference text, amount_cents bigint,
                 is_rest boolean, refunded_before_cents bigint, credits integer, reason text, requested_by text,
                 requested_at timestamptz, expires_at timestamptz, status text, ended_by text, ended_at timestamptz)
  ${AS_OWNER} as $$
  begin
    return query
    select r.id, r.tenant_id, t.slug, r.topup_id, r.payment_id, r.reference, r.amount_cents, r.is_rest, r.refunded_before_cents,
           r.credits, r.reason, r.requested_by, r.requested_at, r.expires_at,
           case when r.status = 'pending' and r.expires_at <= now() then 'expired' else r.status end, r.ended_by, r.ended_at
      from topup_refund r join tenant t on t.id = r.tenant_id
     where (p_id is not null and r.id = p_id)
        or (p_id is null and (r.status = 'sending' or (r.status = 'pending' and r.expires_at > now()))
            and (p_before is null or r.id < p_before))
     order by r.id desc limit p_limit;
  end $$`;

/** As before, and what an operator gave back alone counts, too. */
const ALONE = `
  create index operator_act_alone on platform.operator_act (operator, at)
    where type in ('tenant.granted', 'tenant.created', 'topup.refunded');
  create or replace function platform.ops_granted_alone(p_operator text, p_hours integer) returns bigint ${AS_OWNER} as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('platform.ops_granted_alone ' || p_operator, 0));
    return (select coalesce(sum((a.data::json ->> 'credits')::bigint), 0) from operator_act a
             where a.operator = p_operator and a.type in ('tenant.granted', 'tenant.created', 'topup.refunded')
               and a.at > now() - make_interval(hours => p_hours));
  end $$;
  drop index platform.operator_act_grants`;

const GRANTS = `
  revoke all on function platform.ops_topup_refunds from public;
  grant execute on function platform.ops_topup_refunds to platform_app`;
