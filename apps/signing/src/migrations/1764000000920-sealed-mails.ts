import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails to signers whose addresses, names and words are sealed. The mails themselves hold none of these. */
export class SealedMails1764000000920 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [CLAIM, GRANTS]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * claim_signer_mails_v2 with what is sealed of the signer, the envelope and the signer who declined, and the wrapped keys of the three.
 * Each mail is read in a statement of its own: that of the claim began before the lease, and may not see an envelope that was
 * committed in between.
 */
const CLAIM = `
  create function signing.claim_signer_mails_v3(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, envelope_id uuid, signer_id uuid, kind text, secret bytea, attempts integer, lease_token uuid,
    created_at timestamptz, public_id text, subject text, message text, locale text, expires_at timestamptz, end_reason text,
    circuit_name text, role text, email text, name text, token_sealed bytea, otp_expires_at timestamptz, declined_by text,
    sealed_person bytea, signer_key bytea, sealed_words bytea, sealed_end_reason bytea, envelope_key bytea,
    decliner_id uuid, decliner_person bytea, decliner_key bytea
  )
  language plpgsql volatile security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
  declare
    m record;
  begin
    for m in
      select * from claim_signer_mails_v2(p_limit, p_lease_seconds) c order by (c.kind <> 'otp'), c.created_at
    loop
      return query
        select m.id, m.tenant_id, m.envelope_id, m.signer_id, m.kind, m.secret, m.attempts, m.lease_token,
               m.created_at, m.public_id, m.subject, m.message, m.locale, m.expires_at, m.end_reason,
               m.circuit_name, m.role, m.email, m.name, m.token_sealed, m.otp_expires_at, m.declined_by,
               s.sealed_person, sk.wrapped_key, e.sealed_words, e.sealed_end_reason, ek.wrapped_key,
               d.id, d.sealed_person, dk.wrapped_key
          from envelope_signer s
          join envelope e on e.id = s.envelope_id
          left join envelope_signer d on d.envelope_id = e.id and d.status = 'declined'
          left join subject_key sk on sk.tenant_id = s.tenant_id and sk.id = s.id
          left join subject_key ek on ek.tenant_id = s.tenant_id and ek.id = e.id
          left join subject_key dk on dk.tenant_id = s.tenant_id and dk.id = d.id
         where s.id = m.signer_id;
    end loop;
  end $$`;

const GRANTS = `
  revoke all on function signing.claim_signer_mails_v3 from public;
  grant execute on function signing.claim_signer_mails_v3 to signing_app`;
