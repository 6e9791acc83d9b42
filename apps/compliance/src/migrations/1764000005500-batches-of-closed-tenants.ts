import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Screening batches end with their tenant (ADR 0190), and rest while it is suspended. */
export class BatchesOfClosedTenants1764000005500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [GUARD, CLAIM, BACKLOG]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * As before, and the tenant is not closed: a turn that began before adds nothing. Of a chunk that the balance does not cover at all, no
 * mark is inserted: that was taken for a batch that does not exist.
 */
const GUARD = `
  create or replace function compliance.guard_screening_batch_row() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    batch record;
  begin
    for batch in
      select b.status, b.tenant_id from screening_batch b
       where (b.tenant_id, b.id) in (select distinct n.tenant_id, n.batch_id from new_rows n) order by b.id for share
    loop
      if batch.status not in ('processing', 'paused') then
        raise exception 'the screening batch is % already', batch.status using errcode = 'CN410';
      end if;
      if platform_v1.tenant_standing(batch.tenant_id) = 'closed' then
        raise exception 'the tenant of the screening batch is closed' using errcode = 'CN410';
      end if;
    end loop;
    if not found and exists (select 1 from new_rows) then
      raise exception 'the tenant has no such screening batch' using errcode = 'CN410';
    end if;
    return null;
  end $$`;

/** As before, of tenants that are not suspended. Those of closed ones are claimed to be ended. */
const CLAIM = `
  create or replace function compliance.claim_screening_batch(p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, status text, reason text, validation_code text, external_ref text, rows integer, actor text,
                 by jsonb, attempts integer, created_at timestamptz, lease_token uuid)
  language sql volatile security definer set search_path = compliance, pg_temp as $$
    with due as (
      select b.id from screening_batch b
       where b.status in ('processing', 'paused') and b.due_at <= now()
         and platform_v1.tenant_standing(b.tenant_id) is distinct from 'suspended'
         and not exists (select 1 from screening_batch o
                          where o.tenant_id = b.tenant_id and o.id <> b.id and o.status in ('processing', 'paused')
                            and o.lease_token is not null and o.due_at > now())
       order by b.due_at limit 1 for update skip locked
    )
    update screening_batch b
       set lease_token = gen_random_uuid(), attempts = b.attempts + 1, due_at = now() + make_interval(secs => p_lease_seconds)
      from due where b.id = due.id
    returning b.id, b.tenant_id, b.status, b.reason, b.validation_code, b.external_ref, b.rows, b.actor, b.by, b.attempts, b.created_at,
              b.lease_token
  $$`;

/** As before, of tenants that are not suspended. */
const BACKLOG = `
  create or replace function compliance.screening_batch_backlog()
  returns table (processing bigint, paused bigint, stalled_seconds double precision)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select count(*) filter (where b.status = 'processing'), count(*) filter (where b.status = 'paused'),
           coalesce(extract(epoch from now() - min(b.progressed_at)
             filter (where b.reason is null or b.reason in ('lists_unavailable', 'internal_error'))), 0)::double precision
      from screening_batch b
     where b.status in ('processing', 'paused') and platform_v1.tenant_standing(b.tenant_id) is distinct from 'suspended'
  $$`;
