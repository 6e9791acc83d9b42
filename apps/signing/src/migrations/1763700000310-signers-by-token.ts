import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the public signer endpoints may read before they know whose request it is. */
export class SignersByToken1763700000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [FIND_SIGNER, GRANTS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function signing.find_signer');
  }
}

/**
 * The signer whose link has this token, with what that signer may see: of the circuit's fields the own ones, of the other signers
 * nothing. No row for a token that is unknown or was replaced, and for an envelope that is voided or past its time: the four cannot be
 * told apart. Found by keys whatever the statistics say.
 */
const FIND_SIGNER = `
  create function signing.find_signer(p_token_hash bytea)
  returns table (
    tenant_id uuid, tenant_display_name text, envelope_id uuid, public_id text, envelope_status text, subject text, message text,
    locale text, expires_at timestamptz, signer_id uuid, role text, name text, email text, status text, auth text[],
    auth_done text[], consented_at timestamptz, signed_at timestamptz, otp_sent boolean, otp_expires_at timestamptz,
    otp_attempts integer, otp_sends timestamptz[], code_misses integer, code_attempts integer, code_locked_until timestamptz, field_values jsonb,
    document_shown_sha256 bytea, fields jsonb, page_count integer, base_pdf_sha256 bytea, base_pdf_key text,
    document_access text, document_sha256 bytea, document_key text
  )
  language sql stable security definer set search_path = signing, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
    select e.tenant_id, t.display_name, e.id, e.public_id, e.status, e.subject, e.message,
           e.locale, e.expires_at, s.id, s.role, s.name, s.email, s.status, s.auth,
           s.auth_done, s.consented_at, s.signed_at, s.otp_hash is not null, s.otp_expires_at,
           s.otp_attempts, s.otp_sends, s.code_misses, s.code_attempts, s.code_locked_until, s.field_values,
           s.document_shown_sha256,
           (select coalesce(jsonb_agg(f.field order by f.nth), '[]')
              from jsonb_array_elements(c.fields) with ordinality as f(field, nth) where f.field ->> 'signer' = s.role),
           c.page_count, c.base_pdf_sha256, c.base_pdf_key,
           c.document_access, e.document_sha256, e.document_key
      from envelope_signer s
      join envelope e on e.id = s.envelope_id
      join circuit c on c.id = e.circuit_id
      cross join lateral platform_v1.tenant_profile(e.tenant_id) t
     where s.token_hash = p_token_hash
       and e.status not in ('voided', 'expired')
       and (e.status not in ('sent', 'in_progress') or e.expires_at > now())
  $$`;

const GRANTS = `
  revoke all on function signing.find_signer from public;
  grant execute on function signing.find_signer to signing_app`;
