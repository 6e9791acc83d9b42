import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Long-term evidence of sealed documents (ADR 0239). document_evidence: what is due for each; document_revision: the files that it led to, each of
 * which begins with the sealed document. The sealed document itself stays where it is.
 */
export class LongTermEvidence1764000006400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const functions = [AWAIT, CLAIM, EXTEND, COMPLETE, DEFER, BACKLOG, FIND, GRANTS];
    for (const sql of [...TABLES, ...functions]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const KINDS = "check (kind in ('signature', 'envelope'))";
const LEVELS = "check (level in ('B-LT', 'B-LTA'))";

/** due_at: since when it waits, or when it will be renewed; infinity: never again. retry_at: a lease, or the next try. */
const TABLES = [
  `create table signing.document_evidence (
    kind text not null constraint document_evidence_kind ${KINDS},
    document_id uuid not null,
    tenant_id uuid not null,
    level text constraint document_evidence_level ${LEVELS},
    due_at timestamptz not null,
    retry_at timestamptz not null,
    attempts integer not null default 0,
    last_setback text,
    lease_token uuid,
    created_at timestamptz not null default now(),
    primary key (kind, document_id)
  )`,
  `create index document_evidence_due on signing.document_evidence (retry_at)`,
  tenantTable('signing', 'document_evidence', ['select']),
  `create table signing.document_revision (
    kind text not null constraint document_revision_kind ${KINDS},
    document_id uuid not null,
    number integer not null constraint document_revision_number check (number > 0),
    tenant_id uuid not null,
    level text not null constraint document_revision_level ${LEVELS},
    document_sha256 bytea not null constraint document_revision_sha256 check (octet_length(document_sha256) = 32),
    document_key text not null,
    document_size integer not null,
    kms_key_arn text not null,
    signature bytea not null,
    signature_algorithm text not null,
    created_at timestamptz not null default now(),
    primary key (kind, document_id, number)
  )`,
  `create index document_revision_sha256 on signing.document_revision (document_sha256)`,
  tenantTable('signing', 'document_revision', ['select']),
];

/** Announces that a document which is about to be sealed gets evidence after a while; before its seal, so that no crash forgets it. */
const AWAIT = `
  create function signing.await_evidence(p_kind text, p_id uuid, p_tenant_id uuid, p_delay_seconds integer) returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    insert into document_evidence (kind, document_id, tenant_id, due_at, retry_at)
    select p_kind, p_id, p_tenant_id, at, at from (values (now() + make_interval(secs => p_delay_seconds))) as t(at)
    on conflict (kind, document_id) do nothing
  $$`;

/**
 * Leases up to p_limit documents whose evidence is due, the longest due first, with their newest file. What is still being sealed comes again
 * after a while; what failed is dropped.
 */
const CLAIM = `
  create function signing.claim_evidence(p_limit integer, p_lease_seconds integer)
  returns table (
    kind text, id uuid, tenant_id uuid, level text, attempts integer, lease_token uuid, number integer,
    document_sha256 bytea, document_key text, document_size integer
  )
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  #variable_conflict use_column
  begin
    delete from document_evidence e
     where e.retry_at <= now() and (
       (e.kind = 'signature' and exists (select 1 from signature_request r where r.id = e.document_id and r.status = 'failed'))
       or (e.kind = 'envelope' and exists (select 1 from envelope v where v.id = e.document_id and v.status = 'failed')));
    return query
      with due as (
        select e.kind, e.document_id
          from document_evidence e
         where e.retry_at <= now()
         order by e.retry_at
         limit p_limit
           for update skip locked
      ), claimed as (
        update document_evidence e
           set lease_token = gen_random_uuid(), retry_at = now() + make_interval(secs => p_lease_seconds),
               attempts = e.attempts + 1
          from due
         where e.kind = due.kind and e.document_id = due.document_id
        returning e.*
      )
      select c.kind, c.document_id, c.tenant_id, c.level, c.attempts, c.lease_token, coalesce(latest.number, 0),
             coalesce(latest.document_sha256, r.document_sha256, v.document_sha256),
             coalesce(latest.document_key, r.document_key, v.document_key),
             coalesce(latest.document_size, r.document_size, v.document_size)
        from claimed c
        left join lateral (
          select d.* from document_revision d where d.kind = c.kind and d.document_id = c.document_id
           order by d.number desc limit 1) as latest on true
        left join signature_request r on c.kind = 'signature' and r.id = c.document_id and r.status = 'signed'
        left join envelope v on c.kind = 'envelope' and v.id = c.document_id and v.status = 'sealed'
       where coalesce(r.id, v.id) is not null;
  end $$`;

const EXTEND = `
  create function signing.extend_evidence_leases(p_lease_tokens uuid[], p_lease_seconds integer) returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with held as materialized (
      select e.kind, e.document_id from document_evidence e
       where e.lease_token = any(p_lease_tokens)
       order by e.kind, e.document_id
         for update
    )
    update document_evidence e set retry_at = now() + make_interval(secs => p_lease_seconds)
      from held where e.kind = held.kind and e.document_id = held.document_id
  $$`;

/** Keeps one more revision of a document, and says when the next is due (null: never). False: the lease was lost, and nothing is written. */
const COMPLETE = `
  create function signing.complete_evidence(
    p_kind text, p_id uuid, p_lease_token uuid, p_level text, p_sha256 bytea, p_key text, p_size integer, p_kms_key_arn text,
    p_signature bytea, p_algorithm text, p_renew_at timestamptz
  ) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    extended document_evidence;
  begin
    update document_evidence
       set level = p_level, due_at = coalesce(p_renew_at, 'infinity'), retry_at = coalesce(p_renew_at, 'infinity'),
           attempts = 0, last_setback = null, lease_token = null
     where kind = p_kind and document_id = p_id and lease_token = p_lease_token
    returning * into extended;
    if not found then
      return false;
    end if;
    insert into document_revision (kind, document_id, number, tenant_id, level, document_sha256, document_key, document_size,
                                   kms_key_arn, signature, signature_algorithm)
    select p_kind, p_id, coalesce(max(d.number), 0) + 1, extended.tenant_id, p_level, p_sha256, p_key, p_size, p_kms_key_arn,
           p_signature, p_algorithm
      from document_revision d where d.kind = p_kind and d.document_id = p_id;
    return true;
  end $$`;

const DEFER = `
  create function signing.defer_evidence(p_kind text, p_id uuid, p_lease_token uuid, p_delay_ms integer, p_setback text)
  returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  begin
    update document_evidence
       set retry_at = now() + make_interval(secs => p_delay_ms / 1000.0), last_setback = p_setback, lease_token = null
     where kind = p_kind and document_id = p_id and lease_token = p_lease_token;
    return found;
  end $$`;

/** Documents whose evidence is due, and for how long the oldest has been. */
const BACKLOG = `
  create function signing.evidence_backlog() returns table (waiting bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select count(*), coalesce(extract(epoch from now() - min(due_at)), 0)::double precision
      from document_evidence where due_at <= now()
  $$`;

/** The revision with this SHA-256, as find_sealed_document answers the sealed document itself. */
const FIND = `
  create function signing.find_document_revision(p_sha256 bytea)
  returns table (
    kind text, status text, public_id text, document_sha256 bytea, kms_key_arn text, signature bytea, signature_algorithm text,
    signed_at timestamptz
  )
  language sql stable security definer set search_path = signing, pg_temp as $$
    select d.kind, coalesce(r.status, v.status), v.public_id, d.document_sha256, d.kms_key_arn, d.signature,
           d.signature_algorithm, coalesce(r.signed_at, v.signed_at)
      from document_revision d
      left join signature_request r on d.kind = 'signature' and r.id = d.document_id
      left join envelope v on d.kind = 'envelope' and v.id = d.document_id
     where d.document_sha256 = p_sha256
     limit 1
  $$`;

const FUNCTIONS = `signing.await_evidence, signing.claim_evidence, signing.extend_evidence_leases, signing.complete_evidence,
  signing.defer_evidence, signing.evidence_backlog, signing.find_document_revision`;

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
