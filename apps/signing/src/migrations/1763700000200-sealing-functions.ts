import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the sealing run may do, across tenants: claim requests, keep its leases, and end or defer each. Every write is fenced by
 * the lease token: a run that lost its lease changes nothing and is told so.
 */
export class SealingFunctions1763700000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [CLAIM, EXTEND, COMPLETE, FAIL, DEFER, REGISTER_KEY, CERTIFICATES, BACKLOG, GRANTS]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `drop function signing.claim_sealing, signing.extend_sealing_lease, signing.complete_sealings, signing.fail_sealing,
         signing.defer_sealing, signing.register_signing_key, signing.lock_signing_certificate,
         signing.keep_signing_certificate, signing.sealing_backlog`,
    );
  }
}

/**
 * Leases up to p_limit requests that are due, the longest due first. A lease is also the time of the next try: a request
 * whose worker died comes due by itself. stranded: it was leased before and nobody said what came of it; strandings: how often
 * that was so. attempts: all, this one included; faults: those of them that ended by a fault of our own, not by waiting for another.
 */
const CLAIM = `
  create function signing.claim_sealing(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, template_id uuid, subject_ref text, merge_data jsonb, credits_debited integer,
    created_at timestamptz, attempts integer, faults integer, strandings integer, traceparent text, lease_token uuid,
    stranded boolean, template_sha256 bytea, template_key text, template_bytes integer, placeholders jsonb
  )
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as (
      select r.id, r.lease_token is not null as stranded
        from signature_request r
       where r.status = 'pending' and r.retry_at <= now()
       order by r.retry_at
       limit p_limit
         for update skip locked
    ), claimed as (
      update signature_request r
         set lease_token = gen_random_uuid(),
             lease_until = now() + make_interval(secs => p_lease_seconds),
             retry_at = now() + make_interval(secs => p_lease_seconds),
             attempts = r.attempts + 1,
             strandings = r.strandings + due.stranded::integer,
             updated_at = now()
        from due
       where r.id = due.id
      returning r.id, r.tenant_id, r.template_id, r.subject_ref, r.merge_data, r.credits_debited, r.created_at, r.attempts,
                r.faults, r.strandings, r.traceparent, r.lease_token, due.stranded
    )
    select c.id, c.tenant_id, c.template_id, c.subject_ref, c.merge_data, c.credits_debited, c.created_at, c.attempts,
           c.faults, c.strandings, c.traceparent, c.lease_token, c.stranded, t.sha256, t.storage_key, t.size_bytes, t.placeholders
      from claimed c
      left join template t on t.id = c.template_id
     order by c.created_at
  $$`;

/** Prolongs leases; answers the requests whose lease is still held. Rows are locked in the order in which COMPLETE locks them. */
const EXTEND = `
  create function signing.extend_sealing_lease(p_ids uuid[], p_lease_tokens uuid[], p_lease_seconds integer)
  returns setof uuid
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with held as materialized (
      select r.id
        from unnest(p_ids, p_lease_tokens) as h(id, lease_token)
        join signature_request r on r.id = h.id and r.lease_token = h.lease_token and r.status = 'pending'
       order by r.id
         for update of r
    )
    update signature_request r
       set lease_until = now() + make_interval(secs => p_lease_seconds),
           retry_at = now() + make_interval(secs => p_lease_seconds)
      from held
     where r.id = held.id
    returning r.id
  $$`;

/**
 * pending → signed, with their events, many in one transaction; answers the requests whose lease was still held, the only ones
 * that changed. The merge data is erased: it is in the document now.
 */
const COMPLETE = `
  create function signing.complete_sealings(p_seals jsonb) returns setof uuid
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    sealed_ids uuid[];
    sealed_events jsonb;
  begin
    with seal as materialized (
      select s.* from jsonb_to_recordset(p_seals) as s(
        id uuid, lease_token uuid, document_sha256 bytea, document_key text, document_size integer, kms_key_arn text,
        signature bytea, signature_algorithm text, signed_at timestamptz, event jsonb)
    ), held as materialized (
      select r.id
        from seal s
        join signature_request r on r.id = s.id and r.lease_token = s.lease_token and r.status = 'pending'
       order by r.id
         for update of r
    ), sealed as (
      update signature_request r
         set status = 'signed', document_sha256 = s.document_sha256, document_key = s.document_key,
             document_size = s.document_size, kms_key_arn = s.kms_key_arn, signature = s.signature,
             signature_algorithm = s.signature_algorithm, signed_at = s.signed_at,
             merge_data = '{}', lease_token = null, lease_until = null, updated_at = now()
        from held join seal s using (id)
       where r.id = held.id
      returning r.id, s.event
    )
    select array_agg(s.id), jsonb_agg(s.event) into sealed_ids, sealed_events from sealed s;
    if sealed_ids is not null then
      perform platform_v1.emit_events(sealed_events);
    end if;
    return query select unnest(sealed_ids);
  end $$`;

/** pending → failed, with its event and, when the fault is the service's, the refund, in one transaction. */
const FAIL = `
  create function signing.fail_sealing(
    p_id uuid, p_lease_token uuid, p_failure_code text, p_failure_reason text, p_refund boolean, p_event jsonb
  ) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    failed signature_request;
  begin
    update signature_request
       set status = 'failed', failure_code = p_failure_code, failure_reason = p_failure_reason,
           credits_refunded = case when p_refund then credits_debited else 0 end,
           merge_data = '{}', lease_token = null, lease_until = null, updated_at = now()
     where id = p_id and lease_token = p_lease_token and status = 'pending'
    returning * into failed;
    if not found then
      return false;
    end if;
    perform platform_v1.emit_events(jsonb_build_array(p_event));
    if failed.credits_refunded > 0 then
      perform platform_v1.refund(failed.tenant_id, 'seal', 'signature', failed.id, failed.credits_refunded);
    end if;
    return true;
  end $$`;

/** Gives a request back, to be tried again after a while. p_fault: the attempt ended by a fault of our own. */
const DEFER = `
  create function signing.defer_sealing(p_id uuid, p_lease_token uuid, p_delay_ms integer, p_fault boolean) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  begin
    update signature_request
       set retry_at = now() + make_interval(secs => p_delay_ms / 1000.0),
           faults = faults + p_fault::integer, lease_token = null, lease_until = null, updated_at = now()
     where id = p_id and lease_token = p_lease_token and status = 'pending';
    return found;
  end $$`;

/** Publishes the key that is signed with from now on; the ones before it are retired, and stay for verification. */
const REGISTER_KEY = `
  create function signing.register_signing_key(
    p_fingerprint bytea, p_key_arn text, p_algorithm text, p_public_key_pem text
  ) returns void
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  begin
    insert into signing_key (fingerprint, key_arn, algorithm, public_key_pem)
    values (p_fingerprint, p_key_arn, p_algorithm, p_public_key_pem)
    on conflict (fingerprint) do update set status = 'active', key_arn = excluded.key_arn
      where signing_key.status <> 'active' or signing_key.key_arn <> excluded.key_arn;
    update signing_key set status = 'retired' where fingerprint <> p_fingerprint and status = 'active';
  end $$`;

/**
 * The certificate of a registered key, whose row stays locked until the transaction ends: of several workers that find none, one
 * makes it and the others wait for it.
 */
const CERTIFICATES = `
  create function signing.lock_signing_certificate(p_fingerprint bytea)
  returns table (certificate_der bytea, certificate_chain_der bytea[])
  language sql volatile security definer set search_path = signing, pg_temp as $$
    select k.certificate_der, k.certificate_chain_der from signing_key k where k.fingerprint = p_fingerprint for update
  $$;
  create function signing.keep_signing_certificate(
    p_fingerprint bytea, p_certificate_der bytea, p_certificate_chain_der bytea[]
  ) returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    update signing_key set certificate_der = p_certificate_der, certificate_chain_der = p_certificate_chain_der
     where fingerprint = p_fingerprint
  $$`;

/** Requests that wait, and for how long the oldest has. */
const BACKLOG = `
  create function signing.sealing_backlog() returns table (waiting bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)::double precision
      from signature_request where status = 'pending'
  $$`;

const FUNCTIONS = `signing.claim_sealing, signing.extend_sealing_lease, signing.complete_sealings, signing.fail_sealing,
  signing.defer_sealing, signing.register_signing_key, signing.lock_signing_certificate, signing.keep_signing_certificate,
  signing.sealing_backlog`;

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
