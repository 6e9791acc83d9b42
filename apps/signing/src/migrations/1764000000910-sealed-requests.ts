import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the sealing run reads of a signature request whose merge data is sealed; the end of the request erases both. */
export class SealedRequests1764000000910 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [CLAIM, COMPLETE, FAIL, GRANTS]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * claim_sealing of migration 200, with sealed data. One statement is enough: the update returns the newest version of the leased row, and
 * a template does not change once a request refers to it.
 */
const CLAIM = `
  create function signing.claim_sealing_v2(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, template_id uuid, subject_ref text, merge_data jsonb, credits_debited integer,
    created_at timestamptz, attempts integer, faults integer, strandings integer, traceparent text, lease_token uuid,
    stranded boolean, template_sha256 bytea, template_key text, template_bytes integer, placeholders jsonb,
    sealed_merge_data bytea, merge_key bytea
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
                r.faults, r.strandings, r.traceparent, r.lease_token, due.stranded, r.sealed_merge_data,
                r.merge_key
    )
    select c.id, c.tenant_id, c.template_id, c.subject_ref, c.merge_data, c.credits_debited, c.created_at, c.attempts,
           c.faults, c.strandings, c.traceparent, c.lease_token, c.stranded, t.sha256, t.storage_key, t.size_bytes, t.placeholders,
           c.sealed_merge_data, c.merge_key
      from claimed c
      left join template t on t.id = c.template_id
     order by c.created_at
  $$`;

/** As before; what is sealed is erased with its key. */
const COMPLETE = `
  create or replace function signing.complete_sealings(p_seals jsonb) returns setof uuid
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
             merge_data = '{}', sealed_merge_data = null, merge_key = null, lease_token = null, lease_until = null, updated_at = now()
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

const FAIL = `
  create or replace function signing.fail_sealing(
    p_id uuid, p_lease_token uuid, p_failure_code text, p_failure_reason text, p_refund boolean, p_event jsonb
  ) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp as $$
  declare
    failed signature_request;
  begin
    update signature_request
       set status = 'failed', failure_code = p_failure_code, failure_reason = p_failure_reason,
           credits_refunded = case when p_refund then credits_debited else 0 end,
           merge_data = '{}', sealed_merge_data = null, merge_key = null, lease_token = null, lease_until = null, updated_at = now()
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

const GRANTS = `
  revoke all on function signing.claim_sealing_v2 from public;
  grant execute on function signing.claim_sealing_v2 to signing_app`;
