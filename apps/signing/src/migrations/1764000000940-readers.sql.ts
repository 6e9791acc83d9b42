/** Sealed data, in addition to what earlier functions return; the keys are the rows of subject_key with the ids of signer and envelope. */
const AS_OWNER = 'security definer set search_path = signing, pg_temp';

const BY_KEY = `(select k.wrapped_key from subject_key k where k.tenant_id =`;

/** For a request of a signer, in addition to find_signer and signer_session. One row. In plpgsql, which caches its plans for the session. */
const SIGNER_SECRETS = `
  create function signing.signer_secrets(p_signer_id uuid)
  returns table (sealed_words bytea, envelope_key bytea, sealed_person bytea, sealed_values bytea, signer_key bytea)
  language plpgsql stable ${AS_OWNER} set enable_seqscan = off
  as $$
  begin
    return query select e.sealed_words, ${BY_KEY} e.tenant_id and k.id = e.id),
           s.sealed_person, s.sealed_values, ${BY_KEY} s.tenant_id and k.id = s.id)
      from envelope_signer s
      join envelope e on e.id = s.envelope_id
     where s.id = p_signer_id;
  end $$`;

/** signers_to_seal with what is sealed, of the envelope too. */
const SIGNERS = `
  create function signing.signers_to_seal_v2(p_id uuid, p_lease_token uuid)
  returns table (
    id uuid, role text, email text, name text, consent_version text, consent_locale text, consent_sha256 bytea,
    consented_at timestamptz, viewed_at timestamptz, document_shown_sha256 bytea, auth text[], authenticated_at timestamptz,
    signature_type text, signature_text text, signature_image bytea, signature_sha256 bytea, field_values jsonb,
    signed_at timestamptz, signed_ip text, evidence jsonb,
    sealed_words bytea, envelope_key bytea, sealed_person bytea, sealed_values bytea, sealed_mark bytea, signer_key bytea
  )
  language sql stable ${AS_OWNER} as $$
    select t.*, e.sealed_words, ${BY_KEY} e.tenant_id and k.id = e.id),
           s.sealed_person, s.sealed_values, s.sealed_mark, ${BY_KEY} s.tenant_id and k.id = s.id)
      from signers_to_seal(p_id, p_lease_token) t
      join envelope_signer s on s.id = t.id
      join envelope e on e.id = s.envelope_id
     order by s.ord, s.role
  $$`;

/** find_public_envelope with what the masked names are sealed in; bytes in hexadecimal. */
const PUBLIC_ENVELOPE = `
  create function signing.find_public_envelope_v2(p_public_id text)
  returns table (
    public_id text, status text, tenant_id uuid, document_sha256 bytea, kms_key_arn text, signature bytea,
    signature_algorithm text, signed_at timestamptz, base_document_sha256 bytea, signers jsonb, trail jsonb
  )
  language sql stable ${AS_OWNER} as $$
    select f.public_id, f.status, f.tenant_id, f.document_sha256, f.kms_key_arn, f.signature, f.signature_algorithm, f.signed_at,
           f.base_document_sha256,
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'id', s.id, 'name', s.name, 'role', s.role, 'status', s.status,
                     'signed_at', to_char(s.signed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                     'sealed_person', encode(s.sealed_person, 'hex'),
                     'wrapped_key', encode(${BY_KEY} s.tenant_id and k.id = s.id), 'hex')
                   ) order by s.ord, s.role), '[]')
              from envelope_signer s join envelope e on e.id = s.envelope_id where e.public_id = p_public_id),
           f.trail
      from find_public_envelope(p_public_id) f
  $$`;

export const READERS = [SIGNER_SECRETS, SIGNERS, PUBLIC_ENVELOPE];

export const READER_NAMES = 'signing.signer_secrets, signing.signers_to_seal_v2, signing.find_public_envelope_v2';
