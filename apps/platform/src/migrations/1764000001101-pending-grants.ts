import { ownersTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Grants that one operator requested and another one has to approve (OPS_GRANT_LIMIT): pending → approved or withdrawn; a request that is
 * not approved before `expires_at` has expired. Nothing is credited before the approval.
 */
export class PendingGrants1764000001101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, ownersTable('platform', 'pending_grant'), ASK, LIST, END, ALONE, GRANTS])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql security definer set search_path = platform, pg_temp';

const TABLE = `
  create table platform.pending_grant (
    id uuid primary key default platform.uuid_v7(),
    tenant_id uuid not null references platform.tenant,
    ref_id uuid not null,
    reference text not null,
    credits integer not null check (credits > 0),
    reason text not null,
    requested_by text not null,
    requested_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    status text not null default 'pending' check (status in ('pending', 'approved', 'withdrawn')),
    ended_by text,
    ended_at timestamptz(3),
    check ((status = 'pending') = (ended_by is null)),
    check (status <> 'approved' or ended_by <> requested_by)
  );
  create unique index pending_grant_open on platform.pending_grant (tenant_id, ref_id) where status = 'pending'`;

/** Requested again for the same reference: answers the request that is pending, if it has not expired. */
const ASK = `
  create function platform.ops_ask_grant(
    p_tenant_id uuid, p_ref_id uuid, p_reference text, p_credits integer, p_reason text, p_operator text, p_hours integer
  ) returns table (made boolean, id uuid) ${AS_OWNER} as $$
  declare
    new_id constant uuid := uuid_v7();
  begin
    update pending_grant g set status = 'withdrawn', ended_by = 'system', ended_at = now()
     where g.tenant_id = p_tenant_id and g.ref_id = p_ref_id and g.status = 'pending' and g.expires_at <= now();
    return query
    insert into pending_grant as g (id, tenant_id, ref_id, reference, credits, reason, requested_by, expires_at)
    values (new_id, p_tenant_id, p_ref_id, p_reference, p_credits, p_reason, p_operator, now() + make_interval(hours => p_hours))
    on conflict (tenant_id, ref_id) where status = 'pending' do update set reference = excluded.reference
    returning g.id = new_id, g.id;
  end $$`;

/** One by id, or all that are pending and have not expired, the newest first. */
const LIST = `
  create function platform.ops_pending_grants(p_id uuid, p_before uuid, p_limit integer)
  returns table (id uuid, tenant_id uuid, slug text, reference text, ref_id uuid, credits integer, reason text, requested_by text,
                 requested_at timestamptz, expires_at timestamptz, status text, ended_by text, ended_at timestamptz)
  ${AS_OWNER} as $$
  begin
    return query
    select g.id, g.tenant_id, t.slug, g.reference, g.ref_id, g.credits, g.reason, g.requested_by, g.requested_at, g.expires_at,
           case when g.status = 'pending' and g.expires_at <= now() then 'expired' else g.status end, g.ended_by, g.ended_at
      from pending_grant g join tenant t on t.id = g.tenant_id
     where (p_id is not null and g.id = p_id) or (p_id is null and g.status = 'pending' and g.expires_at > now()
            and (p_before is null or g.id < p_before))
     order by g.id desc limit p_limit;
  end $$`;

/** Ends a pending one; false: it was no longer pending. The table refuses an approval by the operator who requested it. */
const END = `
  create function platform.ops_end_grant(p_id uuid, p_status text, p_operator text) returns boolean ${AS_OWNER} as $$
  begin
    update pending_grant g set status = p_status, ended_by = p_operator, ended_at = now()
     where g.id = p_id and g.status = 'pending' and g.expires_at > now();
    return found;
  end $$`;

/** What an operator granted without another one's approval. Grants of one operator wait for each other, so that none is missed. */
const ALONE = `
  create index operator_act_grants on platform.operator_act (operator, at) where type in ('tenant.granted', 'tenant.created');
  create function platform.ops_granted_alone(p_operator text, p_hours integer) returns bigint ${AS_OWNER} as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('platform.ops_granted_alone ' || p_operator, 0));
    return (select coalesce(sum((a.data::json ->> 'credits')::bigint), 0) from operator_act a
             where a.operator = p_operator and a.type in ('tenant.granted', 'tenant.created')
               and a.at > now() - make_interval(hours => p_hours));
  end $$`;

const NAMES = ['ops_ask_grant', 'ops_pending_grants', 'ops_end_grant', 'ops_granted_alone']
  .map((name) => `platform.${name}`)
  .join(', ');

const GRANTS = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to platform_app`;
