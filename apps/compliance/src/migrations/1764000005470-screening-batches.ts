import { allowCommit } from '@constancia/credit-ledger';
import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Many screenings in one request (ADR 0228). receiving: the body is still arriving, and nobody sees the batch. `due_at`: of a batch that is
 * worked on, the end of its lease; else when it is looked at again. `progressed_at`: when a chunk was last done.
 */
const BATCHES = `
  create table compliance.screening_batch (
    id uuid primary key,
    tenant_id uuid not null,
    status text not null default 'receiving',
    reason text,
    validation_code text not null,
    external_ref text,
    rows integer not null default 0,
    processed integer not null default 0,
    skipped integer not null default 0,
    actor text not null,
    by jsonb not null,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    lease_token uuid,
    created_at timestamptz not null default now(),
    progressed_at timestamptz not null default now(),
    finished_at timestamptz,
    trouble text,
    constraint screening_batch_status
      check (status in ('receiving', 'processing', 'paused', 'completed', 'canceled', 'failed'))
  );
  create index screening_batch_list on compliance.screening_batch (tenant_id, id);
  create index screening_batch_due on compliance.screening_batch (due_at) where status in ('processing', 'paused');
  create index screening_batch_receiving on compliance.screening_batch (created_at) where status = 'receiving'`;

/** What was sent and is not screened yet: rows as JSON, sealed with the tenant's key. Deleted when they are done. */
const CHUNKS = `
  create table compliance.screening_batch_chunk (
    tenant_id uuid not null,
    batch_id uuid not null references compliance.screening_batch (id) on delete cascade,
    first_row integer not null,
    rows integer not null,
    sealed bytea not null,
    primary key (batch_id, first_row)
  )`;

/** Rows that are done: written in the unit of work of their screening, by commit_work alone. Without a screening: the subject was erased. */
const ROWS = `
  create table compliance.screening_batch_row (
    tenant_id uuid not null,
    batch_id uuid not null,
    row_number integer not null,
    screening_id uuid,
    primary key (batch_id, row_number)
  )`;

/** A row is done while its batch is open. The lock makes whoever ends the batch wait for the rows under way. */
const GUARD = `
  create function compliance.guard_screening_batch_row() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    batch record;
  begin
    for batch in
      select b.status from screening_batch b
       where (b.tenant_id, b.id) in (select distinct n.tenant_id, n.batch_id from new_rows n) order by b.id for share
    loop
      if batch.status not in ('processing', 'paused') then
        raise exception 'the screening batch is % already', batch.status using errcode = 'CN410';
      end if;
    end loop;
    if not found then
      raise exception 'the tenant has no such screening batch' using errcode = 'CN410';
    end if;
    return null;
  end $$;
  create trigger guard_screening_batch_row after insert on compliance.screening_batch_row
    referencing new table as new_rows for each statement execute function compliance.guard_screening_batch_row()`;

/** Leases the batch that is longest due. One of a tenant is worked on at a time. */
const CLAIM = `
  create function compliance.claim_screening_batch(p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, status text, reason text, validation_code text, external_ref text, rows integer, actor text,
                 by jsonb, attempts integer, created_at timestamptz, lease_token uuid)
  language sql volatile security definer set search_path = compliance, pg_temp as $$
    with due as (
      select b.id from screening_batch b
       where b.status in ('processing', 'paused') and b.due_at <= now()
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

/** Uploads that nobody ended: their process died, or their client never sent the end. */
const FORGET = `
  create function compliance.forget_unfinished_uploads(p_seconds integer) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    forgotten integer;
  begin
    delete from screening_batch where status = 'receiving' and created_at < now() - make_interval(secs => p_seconds);
    get diagnostics forgotten = row_count;
    return forgotten;
  end $$`;

/** Open batches by status, and for how long the one that stands still longest has: not for lack of credits, which is the tenant's. */
const BACKLOG = `
  create function compliance.screening_batch_backlog() returns table (processing bigint, paused bigint, stalled_seconds double precision)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select count(*) filter (where b.status = 'processing'), count(*) filter (where b.status = 'paused'),
           coalesce(extract(epoch from now() - min(b.progressed_at)
             filter (where b.reason is null or b.reason in ('lists_unavailable', 'internal_error'))), 0)::double precision
      from screening_batch b where b.status in ('processing', 'paused')
  $$`;

const FUNCTIONS = `compliance.claim_screening_batch, compliance.forget_unfinished_uploads, compliance.screening_batch_backlog`;

const GRANTS = `
  revoke all on function ${FUNCTIONS}, compliance.guard_screening_batch_row from public;
  grant execute on function ${FUNCTIONS} to compliance_app`;

export class ScreeningBatches1764000005470 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      BATCHES,
      tenantTable('compliance', 'screening_batch', ['select', 'insert', 'update', 'delete']),
      CHUNKS,
      tenantTable('compliance', 'screening_batch_chunk', ['select', 'insert', 'delete']),
      ROWS,
      tenantTable('compliance', 'screening_batch_row', ['select']),
      GUARD,
      allowCommit('compliance', { tables: { screening_batch_row: ['batch_id', 'row_number', 'screening_id'] } }),
      CLAIM,
      FORGET,
      BACKLOG,
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
