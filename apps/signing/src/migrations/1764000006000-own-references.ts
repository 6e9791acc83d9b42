import { allowCommit } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** external_ref and metadata of what a tenant creates: texts of the tenant, not personal data. */
export class OwnReferences1764000006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = ['external_ref', 'metadata'];
    const statements = [
      ...TABLES.flatMap(referencesOf),
      allowCommit('signing', { tables: { envelope: columns, signature_request: columns } }),
      CLAIM_REQUESTS,
      CLAIM_ENVELOPES,
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const TABLES = ['template', 'signature_request', 'circuit', 'envelope'];

const referencesOf = (table: string): string[] => [
  `alter table signing.${table}
     add column external_ref text check (length(external_ref) between 1 and 200),
     add column metadata jsonb not null default '{}'`,
  `create index ${table}_of_ref on signing.${table} (tenant_id, external_ref, id) where external_ref is not null`,
];

/** claim_sealing_v2 with what the events include. */
const CLAIM_REQUESTS = `
  create function signing.claim_sealing_v3(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, template_id uuid, subject_ref text, merge_data jsonb, credits_debited integer,
    created_at timestamptz, attempts integer, faults integer, strandings integer, traceparent text, lease_token uuid,
    stranded boolean, template_sha256 bytea, template_key text, template_bytes integer, placeholders jsonb,
    sealed_merge_data bytea, merge_key bytea, external_ref text, metadata jsonb
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
                r.merge_key, r.external_ref, r.metadata
    )
    select c.id, c.tenant_id, c.template_id, c.subject_ref, c.merge_data, c.credits_debited, c.created_at, c.attempts,
           c.faults, c.strandings, c.traceparent, c.lease_token, c.stranded, t.sha256, t.storage_key, t.size_bytes, t.placeholders,
           c.sealed_merge_data, c.merge_key, c.external_ref, c.metadata
      from claimed c
      left join template t on t.id = c.template_id
     order by c.created_at
  $$`;

/** claim_envelope_sealing with what the events include. */
const CLAIM_ENVELOPES = `
  create function signing.claim_envelope_sealing_v2(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, circuit_id uuid, public_id text, subject text, locale text, credits_debited integer,
    created_at timestamptz, all_signed_at timestamptz, signers jsonb, trail_seq integer, trail_hash text, attempts integer,
    faults integer, strandings integer, traceparent text, lease_token uuid, stranded boolean, circuit_name text,
    base_sha256 bytea, base_key text, base_bytes integer, page_count integer, fields jsonb,
    external_ref text, metadata jsonb
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
           c.name, c.base_pdf_sha256, c.base_pdf_key, c.base_pdf_size, c.page_count, c.fields,
           e.external_ref, e.metadata
      from claimed e
      left join circuit c on c.id = e.circuit_id
      cross join lateral (
        select max(s.signed_at) as last_at,
               jsonb_agg(jsonb_build_object('role', s.role, 'signed_at', s.signed_at) order by s.ord, s.role) as signers
          from envelope_signer s where s.envelope_id = e.id
      ) as signed
     order by e.created_at
  $$`;

const NAMES = 'signing.claim_sealing_v3, signing.claim_envelope_sealing_v2';

const GRANTS = `
  revoke all on function ${NAMES} from public;
  grant execute on function ${NAMES} to signing_app`;
