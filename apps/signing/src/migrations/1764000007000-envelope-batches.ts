import { allowCommit } from '@constancia/credit-ledger';
import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Many envelopes in one request (ADR 0240). receiving: the body is still arriving, and nobody sees the batch. `due_at`: of a batch that is
 * worked on, the end of its lease; else when it is looked at again. `progressed_at`: when a chunk was last done.
 */
const BATCHES = `
  create table signing.envelope_batch (
    id uuid primary key,
    tenant_id uuid not null,
    status text not null default 'receiving',
    reason text,
    circuit_id uuid not null references signing.circuit (id),
    external_ref text,
    metadata jsonb not null default '{}',
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
    constraint envelope_batch_status
      check (status in ('receiving', 'processing', 'paused', 'completed', 'canceled', 'failed'))
  );
  create index envelope_batch_list on signing.envelope_batch (tenant_id, id);
  create index envelope_batch_due on signing.envelope_batch (due_at) where status in ('processing', 'paused');
  create index envelope_batch_receiving on signing.envelope_batch (created_at) where status = 'receiving'`;

/** What was sent and is no envelope yet: rows as JSON, sealed with the tenant's key. Deleted when they are done. */
const CHUNKS = `
  create table signing.envelope_batch_chunk (
    tenant_id uuid not null,
    batch_id uuid not null references signing.envelope_batch (id) on delete cascade,
    first_row integer not null,
    rows integer not null,
    sealed bytea not null,
    primary key (batch_id, first_row)
  )`;

/** Rows that are done: written in the unit of work of their envelope, by commit_work alone. Without an envelope: `error` says why. */
const ROWS = `
  create table signing.envelope_batch_row (
    tenant_id uuid not null,
    batch_id uuid not null,
    row_number integer not null,
    envelope_id uuid,
    external_ref text,
    error text,
    primary key (batch_id, row_number),
    constraint envelope_batch_row_outcome check ((envelope_id is null) <> (error is null))
  )`;

/**
 * A row is done while its batch is open and its tenant is not closed. The lock makes whoever ends the batch wait for the rows under way. Of
 * a chunk that the balance does not cover at all no row is inserted.
 */
const GUARD = `
  create function signing.guard_envelope_batch_row() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  declare
    batch record;
  begin
    for batch in
      select b.status, b.tenant_id from envelope_batch b
       where (b.tenant_id, b.id) in (select distinct n.tenant_id, n.batch_id from new_rows n) order by b.id for share
    loop
      if batch.status not in ('processing', 'paused') then
        raise exception 'the envelope batch is % already', batch.status using errcode = 'CN410';
      end if;
      if platform_v1.tenant_standing(batch.tenant_id) = 'closed' then
        raise exception 'the tenant of the envelope batch is closed' using errcode = 'CN410';
      end if;
    end loop;
    if not found and exists (select 1 from new_rows) then
      raise exception 'the tenant has no such envelope batch' using errcode = 'CN410';
    end if;
    return null;
  end $$;
  create trigger guard_envelope_batch_row after insert on signing.envelope_batch_row
    referencing new table as new_rows for each statement execute function signing.guard_envelope_batch_row()`;

/**
 * Leases the batch that is longest due, of tenants that are not suspended. One of a tenant is worked on at a time. Those of closed tenants
 * are claimed to be ended.
 */
const CLAIM = `
  create function signing.claim_envelope_batch(p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, status text, reason text, circuit_id uuid, external_ref text, rows integer, actor text,
                 by jsonb, attempts integer, created_at timestamptz, lease_token uuid)
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as (
      select b.id from envelope_batch b
       where b.status in ('processing', 'paused') and b.due_at <= now()
         and platform_v1.tenant_standing(b.tenant_id) is distinct from 'suspended'
         and not exists (select 1 from envelope_batch o
                          where o.tenant_id = b.tenant_id and o.id <> b.id and o.status in ('processing', 'paused')
                            and o.lease_token is not null and o.due_at > now())
       order by b.due_at limit 1 for update skip locked
    )
    update envelope_batch b
       set lease_token = gen_random_uuid(), attempts = b.attempts + 1, due_at = now() + make_interval(secs => p_lease_seconds)
      from due where b.id = due.id
    returning b.id, b.tenant_id, b.status, b.reason, b.circuit_id, b.external_ref, b.rows, b.actor, b.by, b.attempts, b.created_at,
              b.lease_token
  $$`;

/** Uploads that nobody ended: their process died, or their client never sent the end. */
const FORGET = `
  create function signing.forget_unfinished_uploads(p_seconds integer) returns integer
  language plpgsql security definer set search_path = signing, pg_temp as $$
  declare
    forgotten integer;
  begin
    delete from envelope_batch where status = 'receiving' and created_at < now() - make_interval(secs => p_seconds);
    get diagnostics forgotten = row_count;
    return forgotten;
  end $$`;

/** Open batches by status, of tenants that are not suspended, and for how long the one that stands still longest has: not for lack of credits or of room for mails. */
const BACKLOG = `
  create function signing.envelope_batch_backlog()
  returns table (processing bigint, paused bigint, stalled_seconds double precision)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select count(*) filter (where b.status = 'processing'), count(*) filter (where b.status = 'paused'),
           coalesce(extract(epoch from now() - min(b.progressed_at)
             filter (where b.reason is null or b.reason = 'internal_error')), 0)::double precision
      from envelope_batch b
     where b.status in ('processing', 'paused') and platform_v1.tenant_standing(b.tenant_id) is distinct from 'suspended'
  $$`;

const FUNCTIONS = `signing.claim_envelope_batch, signing.forget_unfinished_uploads, signing.envelope_batch_backlog`;

const GRANTS = `
  revoke all on function ${FUNCTIONS}, signing.guard_envelope_batch_row from public;
  grant execute on function ${FUNCTIONS} to signing_app`;

/** Keyed digest of the erased address, never the address: rows of batches that wait are left out by it. */
const ERASED_ADDRESSES = `alter table signing.erasure_receipt add column email_index bytea`;

export class EnvelopeBatches1764000007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      BATCHES,
      tenantTable('signing', 'envelope_batch', ['select', 'insert', 'update', 'delete']),
      CHUNKS,
      tenantTable('signing', 'envelope_batch_chunk', ['select', 'insert', 'delete']),
      ROWS,
      tenantTable('signing', 'envelope_batch_row', ['select']),
      GUARD,
      allowCommit('signing', {
        tables: { envelope_batch_row: ['batch_id', 'row_number', 'envelope_id', 'external_ref', 'error'] },
      }),
      CLAIM,
      FORGET,
      BACKLOG,
      GRANTS,
      ERASED_ADDRESSES,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
