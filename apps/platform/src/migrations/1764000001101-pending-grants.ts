import { ownersTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Grants that one operator asked for and another one has to approve (OPS_GRANT_LIMIT): pending → approved or withdrawn; what nobody
 * approved in time is over (`expires_at`). Nothing is credited before.
 */
export class PendingGrants1764000001101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, ownersTable('platform', 'pending_grant'), ASK, LIST, END, GRANTS])
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

/** Asked again for the same reference: answers the one that is open, if its time is not over. */
const ASK = `
  create function platform.ops_ask_grant(
    p_tenant_id uuid, p_ref_id uuid, p_reference text, p_credits integer, p_reason text, p_operator text, p_hours integer
  ) returns table (made boolean, id uuid) ${AS_OWNER} as $$
  declare
    known platform.pending_grant;
  begin
    update pending_grant g set status = 'withdrawn', ended_by = 'system', ended_at = now()
     where g.tenant_id = p_tenant_id and g.ref_id = p_ref_id and g.status = 'pending' and g.expires_at <= now();
    insert into pending_grant (tenant_id, ref_id, reference, credits, reason, requested_by, expires_at)
    values (p_tenant_id, p_ref_id, p_reference, p_credits, p_reason, p_operator, now() + make_interval(hours => p_hours))
    on conflict do nothing returning * into known;
    if known.id is not null then
      return query select true, known.id;
    else
      return query select false, g.id from pending_grant g
       where g.tenant_id = p_tenant_id and g.ref_id = p_ref_id and g.status = 'pending';
    end if;
  end $$`;

/** One by id, or all that are pending and not over, the newest first. */
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

/** Ends a pending one; false: it was not pending any more. Approving is for another operator than the one who asked. */
const END = `
  create function platform.ops_end_grant(p_id uuid, p_status text, p_operator text) returns boolean ${AS_OWNER} as $$
  begin
    update pending_grant g set status = p_status, ended_by = p_operator, ended_at = now()
     where g.id = p_id and g.status = 'pending' and g.expires_at > now();
    return found;
  end $$`;

const NAMES = ['ops_ask_grant', 'ops_pending_grants', 'ops_end_grant'].map((name) => `platform.${name}`).join(', ');

const GRANTS = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to platform_app`;
