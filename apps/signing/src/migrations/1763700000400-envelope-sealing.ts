import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the sealing run may do with envelopes that all have signed, across tenants: as with signature requests, it claims them, keeps its
 * leases, and ends or defers each, fenced by the lease token. Beside that it reads what it draws and certifies.
 */
export class EnvelopeSealing1763700000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [CLAIM, SIGNERS, EXTEND, COMPLETE, FAIL, DEFER, BACKLOG, GRANTS])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${FUNCTIONS}`);
  }
}

/**
 * Leases up to p_limit envelopes that are due, the longest due first, as claim_sealing does signature requests. signers: the role of each
 * in their order and when it signed, the last of which is since when the envelope waits.
 */
const CLAIM = `
  create function signing.claim_envelope_sealing(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, circuit_id uuid, public_id text, subject text, locale text, credits_debited integer,
    created_at timestamptz, all_signed_at timestamptz, signers jsonb, trail_seq integer, trail_hash text, attempts integer,
    faults integer, strandings integer, traceparent text, lease_token uuid, stranded boolean, circuit_name text,
    base_sha256 bytea, base_key text, base_bytes integer, page_count integer, fields jsonb
  )
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as (
      select e.id, e.lease_token is not null as stranded
        from envelope e
       where e.status = 'sealing' and e.retry_at <= now()
       order by e.retry_at
       limit p_limit
         for update skip locked
    ), claimed as (
      update envelope e
         set lease_token = gen_random_uuid(),
             lease_until = now() + make_interval(secs => p_lease_seconds),
             retry_at = now() + make_interval(secs => p_lease_seconds),
             attempts = e.attempts + 1,
             strandings = e.strandings + due.stranded::integer,
             updated_at = now()
        from due
       where e.id = due.id
      returning e.*, due.stranded
    )
    select e.id, e.tenant_id, e.circuit_id, e.public_id, e.subject, e.locale, e.credits_debited, e.created_at,
           signed.last_at, signed.signers, e.trail_seq, e.trail_hash, e.attempts, e.faults, e.strandings, e.traceparent, e.lease_token, e.stranded,
           c.name, c.base_pdf_sha256, c.base_pdf_key, c.base_pdf_size, c.page_count, c.fields
      from claimed e
      left join circuit c on c.id = e.circuit_id
      cross join lateral (
        select max(s.signed_at) as last_at,
               jsonb_agg(jsonb_build_object('role', s.role, 'signed_at', s.signed_at) order by s.ord, s.role) as signers
          from envelope_signer s where s.envelope_id = e.id
      ) as signed
     order by e.created_at
  $$`;

/**
 * The signers of a claimed envelope in their order, with what they gave. evidence: the links of the trail about each, from the last time
 * that its link was replaced, the oldest first.
 */
const SIGNERS = `
  create function signing.signers_to_seal(p_id uuid, p_lease_token uuid)
  returns table (
    id uuid, role text, email text, name text, consent_version text, consent_locale text, consent_sha256 bytea,
    consented_at timestamptz, viewed_at timestamptz, document_shown_sha256 bytea, auth text[], authenticated_at timestamptz,
    signature_type text, signature_text text, signature_image bytea, signature_sha256 bytea, field_values jsonb,
    signed_at timestamptz, signed_ip text, evidence jsonb
  )
  language sql stable security definer set search_path = signing, pg_temp as $$
    select s.id, s.role, s.email, s.name, s.consent_version, s.consent_locale, s.consent_sha256, s.consented_at, s.viewed_at,
           s.document_shown_sha256, s.auth, s.authenticated_at, s.signature_type, s.signature_text, s.signature_image,
           s.signature_sha256, s.field_values, s.signed_at, s.signed_ip,
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'type', t.type, 'at', t.at, 'user_agent', t.user_agent, 'data', t.data::jsonb) order by t.seq), '[]')
              from envelope_event t
             where t.envelope_id = e.id and t.role = s.role
               and t.seq > coalesce((
                 select max(r.seq) from envelope_event r
                  where r.envelope_id = e.id and r.role = s.role and r.type = 'signer.token_rotated'), 0))
      from envelope e
      join envelope_signer s on s.envelope_id = e.id
     where e.id = p_id and e.lease_token = p_lease_token and e.status = 'sealing'
     order by s.ord, s.role
  $$`;

/** Prolongs leases; answers the envelopes whose lease is still held. Rows are locked in the order in which COMPLETE locks them. */
const EXTEND = `
  create function signing.extend_envelope_sealing_leases(p_ids uuid[], p_lease_tokens uuid[], p_lease_seconds integer)
  returns setof uuid
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with held as materialized (
      select e.id
        from unnest(p_ids, p_lease_tokens) as h(id, lease_token)
        join envelope e on e.id = h.id and e.lease_token = h.lease_token and e.status = 'sealing'
       order by e.id
         for update of e
    )
    update envelope e
       set lease_until = now() + make_interval(secs => p_lease_seconds),
           retry_at = now() + make_interval(secs => p_lease_seconds)
      from held
     where e.id = held.id
    returning e.id
  $$`;

/**
 * sealing → sealed, with the last link of the trail, the mails to the signers and the events, many in one transaction; answers the
 * envelopes whose lease was still held, the only ones that changed. What the signers gave is erased: it is in the document now.
 */
const COMPLETE = `
  create function signing.complete_envelope_sealings(p_seals jsonb) returns setof uuid
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    s record;
    sealed_ids uuid[] := '{}';
    sealed_events jsonb := '[]';
  begin
    for s in
      select j.*, e.tenant_id
        from jsonb_to_recordset(p_seals) as j(
               id uuid, lease_token uuid, document_sha256 bytea, document_key text, document_size integer, kms_key_arn text,
               signature bytea, signature_algorithm text, signed_at timestamptz, trail jsonb, event jsonb)
        join envelope e on e.id = j.id and e.lease_token = j.lease_token and e.status = 'sealing'
       order by e.id
         for update of e
    loop
      update envelope e
         set status = 'sealed', document_sha256 = s.document_sha256, document_key = s.document_key,
             document_size = s.document_size, kms_key_arn = s.kms_key_arn, signature = s.signature,
             signature_algorithm = s.signature_algorithm, signed_at = s.signed_at, ended_at = now(), last_setback = null,
             lease_token = null, lease_until = null, updated_at = now()
       where e.id = s.id;
      update envelope_signer
         set signature_text = null, signature_image = null, field_values = '{}', otp_hash = null
       where envelope_id = s.id;
      perform record_envelope_event(s.tenant_id, s.trail);
      perform enqueue_envelope_mails(s.tenant_id, s.id, 'completed');
      sealed_ids := sealed_ids || s.id;
      sealed_events := sealed_events || s.event;
    end loop;
    if cardinality(sealed_ids) > 0 then
      perform platform_v1.emit_events(sealed_events);
    end if;
    return query select unnest(sealed_ids);
  end $$`;

/**
 * sealing → failed, with the last link of the trail, its event and, when the fault is the service's, the refund, in one transaction. What
 * the signers gave stays: it cannot be collected twice.
 */
const FAIL = `
  create function signing.fail_envelope_sealing(
    p_id uuid, p_lease_token uuid, p_failure_code text, p_failure_reason text, p_refund boolean, p_trail jsonb, p_event jsonb
  ) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    failed envelope;
  begin
    update envelope
       set status = 'failed', failure_code = p_failure_code, failure_reason = p_failure_reason,
           credits_refunded = case when p_refund then credits_debited else 0 end,
           ended_at = now(), last_setback = null, lease_token = null, lease_until = null, updated_at = now()
     where id = p_id and lease_token = p_lease_token and status = 'sealing'
    returning * into failed;
    if not found then
      return false;
    end if;
    perform record_envelope_event(failed.tenant_id, p_trail);
    perform platform_v1.emit_events(jsonb_build_array(p_event));
    if failed.credits_refunded > 0 then
      perform platform_v1.refund(failed.tenant_id, 'seal', 'envelope', failed.id, failed.credits_refunded);
    end if;
    return true;
  end $$`;

/**
 * Gives an envelope back, to be tried again after a while. p_setback: what it waits for, shown until the next try says otherwise;
 * p_fault: the attempt ended by a fault of our own.
 */
const DEFER = `
  create function signing.defer_envelope_sealing(
    p_id uuid, p_lease_token uuid, p_delay_ms integer, p_fault boolean, p_setback text
  ) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  begin
    update envelope
       set retry_at = now() + make_interval(secs => p_delay_ms / 1000.0), last_setback = p_setback,
           faults = faults + p_fault::integer, lease_token = null, lease_until = null, updated_at = now()
     where id = p_id and lease_token = p_lease_token and status = 'sealing';
    return found;
  end $$`;

/** Envelopes that wait for their seal, and for how long the oldest has. */
const BACKLOG = `
  create function signing.envelope_sealing_backlog() returns table (waiting bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select count(*), coalesce(extract(epoch from now() - min(signed.at)), 0)::double precision
      from envelope e
      cross join lateral (select max(s.signed_at) as at from envelope_signer s where s.envelope_id = e.id) as signed
     where e.status = 'sealing'
  $$`;

const FUNCTIONS = `signing.claim_envelope_sealing, signing.signers_to_seal, signing.extend_envelope_sealing_leases,
  signing.complete_envelope_sealings, signing.fail_envelope_sealing, signing.defer_envelope_sealing,
  signing.envelope_sealing_backlog`;

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
