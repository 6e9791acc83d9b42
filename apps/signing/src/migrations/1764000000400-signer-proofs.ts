import { allowChainTypes, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENVELOPE_TRAIL } from '../envelope-records/envelope-chain.ts';

/**
 * Proofs of authentication, one per browser, and what signers have entered so far; links that stop ("not me") and links of sealed
 * envelopes that are renewed by mail; the language of a code mail.
 */
export class SignerProofs1764000000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      COLUMNS,
      PROOF,
      tenantTable('signing', 'signer_proof', ['select', 'insert', 'update', 'delete']),
      DRAFT,
      tenantTable('signing', 'signer_draft', ['select', 'insert', 'update', 'delete']),
      FORMER_LINK,
      tenantTable('signing', 'former_link', ['select', 'insert']),
      ...ERASURE,
      SIGNER_SESSION,
      TOUCH_PROOF,
      FIND_RENEWABLE,
      LEASE_MAILS,
      ...CLAIM_MAILS,
      allowChainTypes(ENVELOPE_TRAIL, {
        types: ['signer.link_opened', 'signer.document_shown', 'signer.not_me', 'signer.link_renewed'],
      }),
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * link_stopped_at: somebody said that the link reached the wrong person; link_renewed_at: when the link of a sealed envelope was replaced;
 * values_digest: keyed digest of the values that were signed, to tell a repetition from another signature once they are erased.
 */
const COLUMNS = `
  alter table signing.envelope_signer
    add column document_shown_at timestamptz,
    add column link_stopped_at timestamptz,
    add column link_renewed_at timestamptz,
    add column values_digest bytea;
  alter table signing.signer_mail add column locale text check (locale in ('es-CO', 'en'));
  alter table signing.signer_mail drop constraint signer_mail_kind;
  alter table signing.signer_mail add constraint signer_mail_kind check (
    kind in ('invitation', 'reminder', 'otp', 'completed', 'declined', 'voided', 'expired', 'not_me')
  )`;

/** hash: SHA-256 of the token that the browser holds; methods: what was proven with it. */
const PROOF = `
  create table signing.signer_proof (
    hash bytea primary key,
    tenant_id uuid not null,
    signer_id uuid not null references signing.envelope_signer,
    methods text[] not null,
    created_at timestamptz not null default now(),
    used_at timestamptz not null default now(),
    constraint signer_proof_hash check (length(hash) = 32),
    constraint signer_proof_methods check (cardinality(methods) > 0 and methods <@ array['otp_email', 'access_code'])
  );
  create index signer_proof_of_signer on signing.signer_proof (signer_id)`;

const DRAFT = `
  create table signing.signer_draft (
    signer_id uuid primary key references signing.envelope_signer,
    tenant_id uuid not null,
    sealed bytea not null,
    updated_at timestamptz not null default now()
  )`;

/** Links that ran out and were replaced: who opens one again can have the present link mailed once more. */
const FORMER_LINK = `
  create table signing.former_link (
    token_hash bytea primary key,
    tenant_id uuid not null,
    signer_id uuid not null references signing.envelope_signer,
    replaced_at timestamptz not null default now()
  )`;

/**
 * Drafts are erased when their signer signs, declines or gets another link, and when the envelope ends in whatever way; proofs with the link
 * that they were given for. By triggers, so that every way there, also that of a process of the release before, erases them.
 */
const ERASURE = [
  `create function signing.erase_drafts_of_envelope() returns trigger
   language plpgsql security definer set search_path = signing, pg_temp as $$
   begin
     delete from signer_draft d using envelope_signer s where s.envelope_id = new.id and d.signer_id = s.id;
     return null;
   end $$`,
  `create trigger erase_drafts after update of status on signing.envelope
   for each row when (new.status not in ('sent', 'in_progress') and new.status is distinct from old.status)
   execute function signing.erase_drafts_of_envelope()`,
  `create function signing.erase_draft_of_signer() returns trigger
   language plpgsql security definer set search_path = signing, pg_temp as $$
   begin
     delete from signer_draft where signer_id = new.id;
     if new.token_hash is distinct from old.token_hash then
       delete from signer_proof where signer_id = new.id;
     end if;
     return null;
   end $$`,
  `create trigger erase_draft after update of status, token_hash on signing.envelope_signer
   for each row when (
     new.token_hash is distinct from old.token_hash
     or (new.status in ('signed', 'declined') and new.status is distinct from old.status)
   ) execute function signing.erase_draft_of_signer()`,
];

/**
 * What a request for a signer rests on beside find_signer: the proof that came with it while that is valid (30 minutes after its last use,
 * 8 hours at most), and until when the link works. One row always. In plpgsql, which caches its plans for the session.
 */
const SIGNER_SESSION = `
  create function signing.signer_session(p_signer_id uuid, p_proof_hash bytea, p_sealed_link_days integer)
  returns table (
    document_shown_at timestamptz, values_digest bytea, link_over boolean, proof_methods text[], proof_created_at timestamptz,
    proof_expires_at timestamptz, proof_idle_seconds double precision, draft_sealed bytea
  )
  language plpgsql stable security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
  begin
    return query select s.document_shown_at, s.values_digest,
           s.link_stopped_at is not null or (
             e.status = 'sealed'
             and greatest(e.signed_at, s.link_renewed_at) + make_interval(days => p_sealed_link_days) <= now()),
           p.methods, p.created_at, least(p.used_at + interval '30 minutes', p.created_at + interval '8 hours'),
           extract(epoch from now() - p.used_at)::double precision,
           (select d.sealed from signer_draft d where d.signer_id = s.id and p.methods @> s.auth)
      from envelope_signer s
      join envelope e on e.id = s.envelope_id
      left join signer_proof p
        on p.hash = p_proof_hash and p.signer_id = s.id
       and least(p.used_at + interval '30 minutes', p.created_at + interval '8 hours') > now()
     where s.id = p_signer_id;
  end $$`;

const TOUCH_PROOF = `
  create function signing.touch_signer_proof(p_hash bytea) returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    update signer_proof set used_at = now() where hash = p_hash
  $$`;

/** The signer of a sealed envelope whose link, now or before, had this token, if that link has run out or was replaced. */
const FIND_RENEWABLE = `
  create function signing.find_renewable_link(p_token_hash bytea, p_sealed_link_days integer)
  returns table (tenant_id uuid, envelope_id uuid, signer_id uuid)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select s.tenant_id, s.envelope_id, s.id
      from (
        select own.id, true as present from envelope_signer own where own.token_hash = p_token_hash
        union all
        select former.signer_id, false from former_link former where former.token_hash = p_token_hash
      ) found
      join envelope_signer s on s.id = found.id
      join envelope e on e.id = s.envelope_id
     where e.status = 'sealed' and s.link_stopped_at is null
       and (not found.present
            or greatest(e.signed_at, s.link_renewed_at) + make_interval(days => p_sealed_link_days) <= now())
     limit 1
  $$`;

/**
 * claim_signer_mails of migration 300, of the kinds that the caller knows. A code may also be asked for after the own signature; the
 * language is that which the page was read in, if the mail names one.
 */
const LEASE_MAILS = `
  create function signing.lease_signer_mails(p_limit integer, p_lease_seconds integer, p_kinds text[])
  returns table (
    id uuid, tenant_id uuid, envelope_id uuid, signer_id uuid, kind text, secret bytea, attempts integer, lease_token uuid,
    created_at timestamptz, public_id text, subject text, message text, locale text, expires_at timestamptz, end_reason text,
    circuit_name text, role text, email text, name text, token_sealed bytea, otp_expires_at timestamptz, declined_by text
  )
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as materialized (
      select m.id, m.kind, m.due_at, m.created_at, m.expires_at, m.signer_id, m.envelope_id
        from signer_mail m
       where m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.kind = any (p_kinds)
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
               when d.kind in ('invitation', 'reminder') and (
                      e.status not in ('sent', 'in_progress') or e.expires_at <= now()
                      or s.status in ('waiting', 'signed', 'declined') or s.link_stopped_at is not null) then 'not_needed'
               when d.kind = 'otp' and (
                      e.status in ('declined', 'voided', 'expired', 'failed') or s.status in ('waiting', 'declined')
                      or s.link_stopped_at is not null or (e.status in ('sent', 'in_progress') and e.expires_at <= now()))
                 then 'not_needed'
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
           e.public_id, e.subject, e.message, coalesce(c.locale, e.locale), e.expires_at, e.end_reason, circuit.name,
           s.role, s.email, s.name, s.token_sealed, c.expires_at, coalesce(decliner.name, decliner.role)
      from claimed c
      join envelope e on e.id = c.envelope_id
      join circuit on circuit.id = e.circuit_id
      join envelope_signer s on s.id = c.signer_id
      left join envelope_signer decliner on decliner.envelope_id = e.id and decliner.status = 'declined'
     order by (c.kind <> 'otp'), c.created_at
  $$`;

/** The release before knows no mails of kind not_me, which go to the sender. */
const CLAIM_MAILS = [
  `create or replace function signing.claim_signer_mails(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, envelope_id uuid, signer_id uuid, kind text, secret bytea, attempts integer, lease_token uuid,
    created_at timestamptz, public_id text, subject text, message text, locale text, expires_at timestamptz, end_reason text,
    circuit_name text, role text, email text, name text, token_sealed bytea, otp_expires_at timestamptz, declined_by text
  )
  language sql volatile security definer set search_path = signing, pg_temp as $$
    select * from lease_signer_mails(p_limit, p_lease_seconds,
      array['invitation', 'reminder', 'otp', 'completed', 'declined', 'voided', 'expired'])
  $$`,
  `create function signing.claim_signer_mails_v2(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, envelope_id uuid, signer_id uuid, kind text, secret bytea, attempts integer, lease_token uuid,
    created_at timestamptz, public_id text, subject text, message text, locale text, expires_at timestamptz, end_reason text,
    circuit_name text, role text, email text, name text, token_sealed bytea, otp_expires_at timestamptz, declined_by text
  )
  language sql volatile security definer set search_path = signing, pg_temp as $$
    select * from lease_signer_mails(p_limit, p_lease_seconds,
      array['invitation', 'reminder', 'otp', 'completed', 'declined', 'voided', 'expired'] || array['not_me'])
  $$`,
];

const FUNCTIONS = `signing.signer_session, signing.touch_signer_proof, signing.find_renewable_link, signing.claim_signer_mails_v2`;

const GRANTS = `
  revoke all on function ${FUNCTIONS}, signing.lease_signer_mails, signing.erase_drafts_of_envelope,
    signing.erase_draft_of_signer from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
