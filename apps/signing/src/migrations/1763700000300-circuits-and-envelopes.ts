import { hashChain, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENVELOPE_TRAIL } from '../envelope-records/envelope-chain.ts';

/** Circuits, envelopes, their signers, trail and mails, and the functions that look across tenants or write the trail. */
export class CircuitsAndEnvelopes1763700000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      CIRCUIT,
      tenantTable('signing', 'circuit'),
      ENVELOPE,
      ...ENVELOPE_INDEXES,
      tenantTable('signing', 'envelope'),
      ENVELOPE_SIGNER,
      tenantTable('signing', 'envelope_signer'),
      SIGNER_MAIL,
      tenantTable('signing', 'signer_mail'),
      hashChain(ENVELOPE_TRAIL),
      RECORD_EVENT,
      ENQUEUE_ENVELOPE_MAILS,
      CLAIM_MAILS,
      EXTEND_MAIL_LEASES,
      OVERDUE_ENVELOPES,
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** A code has versions: at most one of them is published, and publishing deprecates the one before. */
const CIRCUIT = `
  create table signing.circuit (
    id uuid primary key,
    tenant_id uuid not null,
    code text not null,
    name text not null,
    version integer not null,
    status text not null default 'draft',
    base_pdf_sha256 bytea,
    base_pdf_key text,
    base_pdf_size integer,
    page_count integer,
    warnings jsonb not null default '[]',
    signers jsonb not null default '[]',
    fields jsonb not null default '[]',
    document_access text not null default 'link',
    created_at timestamptz not null default now(),
    published_at timestamptz,
    constraint circuit_code_version_key unique (tenant_id, code, version),
    constraint circuit_status check (status in ('draft', 'published', 'deprecated')),
    constraint circuit_document_access check (document_access in ('link', 'authenticated')),
    constraint circuit_base_pdf_is_whole check (num_nulls(base_pdf_sha256, base_pdf_key, base_pdf_size) in (0, 3)),
    constraint circuit_published_is_whole check (
      status = 'draft' or num_nulls(base_pdf_sha256, page_count, published_at) = 0
    )
  );
  create unique index circuit_published_key on signing.circuit (tenant_id, code) where status = 'published';
  create index circuit_list on signing.circuit (tenant_id, id)`;

/** The columns of sealing are those of signature_request, with the same meaning. */
const ENVELOPE = `
  create table signing.envelope (
    id uuid primary key,
    tenant_id uuid not null,
    circuit_id uuid not null,
    public_id text not null,
    status text not null default 'sent',
    subject text,
    message text,
    locale text not null default 'es-CO',
    notify boolean not null default true,
    credits_debited integer not null,
    credits_refunded integer not null default 0,
    expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    ended_at timestamptz,
    end_reason text,
    trail_seq integer,
    trail_hash text,
    failure_code text,
    failure_reason text,
    last_setback text,
    document_sha256 bytea,
    document_key text,
    document_size integer,
    kms_key_arn text,
    signature bytea,
    signature_algorithm text,
    signed_at timestamptz,
    attempts integer not null default 0,
    faults integer not null default 0,
    strandings integer not null default 0,
    retry_at timestamptz not null default now(),
    lease_token uuid,
    lease_until timestamptz,
    traceparent text,
    constraint envelope_public_id_key unique (public_id),
    constraint envelope_status check (
      status in ('sent', 'in_progress', 'sealing', 'sealed', 'declined', 'voided', 'expired', 'failed')
    ),
    constraint envelope_locale check (locale in ('es-CO', 'en')),
    constraint envelope_sealed_is_whole check (
      status <> 'sealed'
      or num_nulls(document_sha256, document_key, document_size, kms_key_arn, signature, signature_algorithm, signed_at) = 0
    ),
    constraint envelope_failed_has_reason check (status <> 'failed' or num_nulls(failure_code, failure_reason) = 0),
    constraint envelope_last_setback check (
      last_setback in ('kms', 'timestamps', 'storage', 'database', 'busy', 'internal')
    )
  )`;

const ENVELOPE_INDEXES = [
  `create index envelope_due on signing.envelope (retry_at) where status = 'sealing'`,
  `create index envelope_open on signing.envelope (expires_at) where status in ('sent', 'in_progress')`,
  `create index envelope_list on signing.envelope (tenant_id, id)`,
  `create index envelope_by_status on signing.envelope (tenant_id, status, id)`,
  `create index envelope_by_circuit on signing.envelope (tenant_id, circuit_id, id)`,
];

/**
 * auth: what the signer proves, in order; auth_done: what of it is proved. What is drawn on the document (signature_text,
 * signature_image, field_values) and otp_hash are erased when the envelope is sealed.
 */
const ENVELOPE_SIGNER = `
  create table signing.envelope_signer (
    id uuid primary key,
    tenant_id uuid not null,
    envelope_id uuid not null references signing.envelope,
    role text not null,
    ord integer not null,
    email text not null,
    name text,
    auth text[] not null,
    auth_done text[] not null default '{}',
    status text not null,
    token_hash bytea not null,
    token_sealed bytea not null,
    access_code_hash text,
    consent_version text,
    consent_locale text,
    consent_sha256 bytea,
    consented_at timestamptz,
    viewed_at timestamptz,
    document_shown_sha256 bytea,
    authenticated_at timestamptz,
    signature_type text,
    signature_text text,
    signature_image bytea,
    signature_sha256 bytea,
    field_values jsonb not null default '{}',
    signed_at timestamptz,
    signed_ip text,
    declined_at timestamptz,
    decline_reason text,
    otp_hash bytea,
    otp_expires_at timestamptz,
    otp_attempts integer not null default 0,
    otp_sends timestamptz[] not null default '{}',
    code_attempts integer not null default 0,
    code_misses integer not null default 0,
    code_locked_until timestamptz,
    reminded_at timestamptz,
    constraint envelope_signer_role_key unique (envelope_id, role),
    constraint envelope_signer_token_key unique (token_hash),
    constraint envelope_signer_status check (
      status in ('waiting', 'pending', 'viewed', 'consented', 'authenticated', 'signed', 'declined')
    ),
    constraint envelope_signer_auth check (cardinality(auth) > 0 and auth_done <@ auth),
    constraint envelope_signer_signed_is_whole check (
      status <> 'signed' or num_nulls(signature_type, signature_sha256, signed_at) = 0
    )
  )`;

/**
 * Mails to signers, each to go out once. secret: the code of an OTP, sealed; erased when the mail is out or given up. A mail that
 * expires, is a day old or is no longer wanted is given up (failed_at, failure).
 */
const SIGNER_MAIL = `
  create table signing.signer_mail (
    id uuid primary key,
    tenant_id uuid not null,
    envelope_id uuid not null references signing.envelope,
    signer_id uuid not null references signing.envelope_signer,
    kind text not null,
    secret bytea,
    dedupe text not null,
    created_at timestamptz not null default clock_timestamp(),
    due_at timestamptz not null default now(),
    expires_at timestamptz,
    attempts integer not null default 0,
    lease_token uuid,
    lease_until timestamptz,
    sent_at timestamptz,
    failed_at timestamptz,
    failure text,
    constraint signer_mail_dedupe_key unique (dedupe),
    constraint signer_mail_kind check (
      kind in ('invitation', 'reminder', 'otp', 'completed', 'declined', 'voided', 'expired')
    )
  );
  create index signer_mail_due on signing.signer_mail ((kind <> 'otp'), due_at) where sent_at is null and failed_at is null;
  create index signer_mail_of_signer on signing.signer_mail (signer_id, created_at)`;

/**
 * Adds an event to the trail of an envelope. p_args: `{envelope_id, type, signer_id?, role?, ip?, user_agent?, data}`: signer_id is a
 * TypeID, data canonical JSON as text. The head at a signature is kept in the envelope: the certificate of completion prints it.
 * Refuses another tenant's envelope (no_data_found). Also a call of commit_work.
 */
const RECORD_EVENT = `
  create function signing.record_envelope_event(p_tenant_id uuid, p_args jsonb) returns void
  language plpgsql security definer set search_path = signing, pg_temp as $$
  declare
    v_id uuid := (p_args ->> 'envelope_id')::uuid;
    link envelope_event;
  begin
    perform 1 from envelope where id = v_id and tenant_id = p_tenant_id for update;
    if not found then
      raise exception 'the tenant has no such envelope' using errcode = 'no_data_found';
    end if;
    link := append_envelope_event(p_tenant_id, v_id, p_args);
    if link.type = 'signer.signed' then
      update envelope set trail_seq = link.seq, trail_hash = link.hash where id = v_id;
    end if;
  end $$`;

/**
 * Tells every signer of an envelope how it ended: completed to all of them; declined, voided and expired to those who were written
 * to, or are about to be (claim_signer_mails sees what became of it), but not to the one who declined. Nothing when the envelope was made with notify = false.
 */
const ENQUEUE_ENVELOPE_MAILS = `
  create function signing.enqueue_envelope_mails(p_tenant_id uuid, p_envelope_id uuid, p_kind text) returns void
  language sql security definer set search_path = signing, pg_temp as $$
    insert into signer_mail (id, tenant_id, envelope_id, signer_id, kind, dedupe)
    select gen_random_uuid(), e.tenant_id, e.id, s.id, p_kind, p_kind || ':' || s.id
      from envelope e join envelope_signer s on s.envelope_id = e.id
     where e.id = p_envelope_id and e.tenant_id = p_tenant_id and e.notify and s.status <> 'declined'
       and (p_kind = 'completed' or exists (
         select from signer_mail m
          where m.signer_id = s.id and m.kind in ('invitation', 'reminder') and m.failed_at is null))
    on conflict (dedupe) do nothing
  $$`;

/**
 * Leases up to p_limit mails that are due, codes first, with all that they tell. What is no longer wanted is given up on the way: an
 * invitation to what has ended, a code that a newer one replaced, the end of what the signer never heard of (some
 * hundreds at a time, so that they hold up nothing). Answers those that are to be sent.
 */
const CLAIM_MAILS = `
  create function signing.claim_signer_mails(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, envelope_id uuid, signer_id uuid, kind text, secret bytea, attempts integer, lease_token uuid,
    created_at timestamptz, public_id text, subject text, message text, locale text, expires_at timestamptz, end_reason text,
    circuit_name text, role text, email text, name text, token_sealed bytea, otp_expires_at timestamptz, declined_by text
  )
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as materialized (
      select m.id, m.kind, m.due_at, m.created_at, m.expires_at, m.signer_id, m.envelope_id
        from signer_mail m
       where m.sent_at is null and m.failed_at is null and m.due_at <= now()
         and (m.kind not in ('declined', 'voided', 'expired') or not exists (
           select from signer_mail earlier
            where earlier.signer_id = m.signer_id and earlier.kind in ('invitation', 'reminder')
              and earlier.sent_at is null and earlier.failed_at is null))
       order by (m.kind <> 'otp'), m.due_at
       limit p_limit + 200
         for update skip locked
    ), judged as materialized (
      select d.id, d.kind, d.due_at,
             case
               when d.expires_at <= now() or d.created_at < now() - interval '24 hours' then 'expired'
               when d.kind in ('invitation', 'reminder', 'otp') and (
                      e.status not in ('sent', 'in_progress') or e.expires_at <= now()
                      or s.status in ('waiting', 'signed', 'declined')) then 'not_needed'
               when d.kind = 'otp' and exists (
                      select from signer_mail later
                       where later.signer_id = d.signer_id and later.kind = 'otp' and later.created_at > d.created_at)
                 then 'not_needed'
               when d.kind in ('declined', 'voided', 'expired') and not exists (
                      select from signer_mail earlier
                       where earlier.signer_id = d.signer_id and earlier.kind in ('invitation', 'reminder')
                         and earlier.sent_at is not null)
                 then 'not_needed'
             end as failure
        from due d join envelope e on e.id = d.envelope_id join envelope_signer s on s.id = d.signer_id
    ), wanted as materialized (
      select j.id from judged j where j.failure is null order by (j.kind <> 'otp'), j.due_at limit p_limit
    ), given_up as (
      update signer_mail m
         set failed_at = now(), failure = coalesce(case when j.failure = 'expired' then m.failure end, j.failure),
             secret = null, lease_token = null, lease_until = null
        from judged j
       where m.id = j.id and j.failure is not null
    ), claimed as (
      update signer_mail m
         set lease_token = gen_random_uuid(),
             lease_until = now() + make_interval(secs => p_lease_seconds),
             due_at = now() + make_interval(secs => p_lease_seconds),
             attempts = m.attempts + 1
        from wanted w
       where m.id = w.id
      returning m.*
    )
    select c.id, c.tenant_id, c.envelope_id, c.signer_id, c.kind, c.secret, c.attempts, c.lease_token, c.created_at,
           e.public_id, e.subject, e.message, e.locale, e.expires_at, e.end_reason, circuit.name,
           s.role, s.email, s.name, s.token_sealed, c.expires_at, coalesce(decliner.name, decliner.role)
      from claimed c
      join envelope e on e.id = c.envelope_id
      join circuit on circuit.id = e.circuit_id
      join envelope_signer s on s.id = c.signer_id
      left join envelope_signer decliner on decliner.envelope_id = e.id and decliner.status = 'declined'
     order by (c.kind <> 'otp'), c.created_at
  $$`;

const EXTEND_MAIL_LEASES = `
  create function signing.extend_signer_mail_leases(p_lease_tokens uuid[], p_lease_seconds integer) returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    update signer_mail
       set lease_until = now() + make_interval(secs => p_lease_seconds), due_at = now() + make_interval(secs => p_lease_seconds)
     where lease_token = any (p_lease_tokens) and sent_at is null and failed_at is null
  $$`;

/** Envelopes whose time is over and that are not ended yet, the longest over first. */
const OVERDUE_ENVELOPES = `
  create function signing.overdue_envelopes(p_limit integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select e.tenant_id, e.id from envelope e
     where e.status in ('sent', 'in_progress') and e.expires_at <= now()
     order by e.expires_at
     limit p_limit
  $$`;

const FUNCTIONS = `signing.record_envelope_event, signing.enqueue_envelope_mails, signing.claim_signer_mails,
  signing.extend_signer_mail_leases, signing.overdue_envelopes`;

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
