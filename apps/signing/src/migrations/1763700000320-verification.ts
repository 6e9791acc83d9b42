import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What anybody may ask: which sealed document has this hash, and how an envelope stands. Definer functions, because nobody's
 * tenant asks; they answer nothing that names a person beyond the signers' names, which the process masks.
 */
export class Verification1763700000320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...INDEXES, FIND_SEALED, PUBLIC_ENVELOPE, GRANTS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${FUNCTIONS}`);
    await runner.query(`drop index signing.signature_request_document, signing.envelope_document`);
  }
}

const INDEXES = [
  `create index signature_request_document on signing.signature_request (document_sha256) where status = 'signed'`,
  `create index envelope_document on signing.envelope (document_sha256) where status = 'sealed'`,
];

/** The sealed document with this SHA-256: a signature request's or an envelope's. Equal files twice: the first that was signed. */
const FIND_SEALED = `
  create function signing.find_sealed_document(p_sha256 bytea)
  returns table (
    kind text, status text, public_id text, document_sha256 bytea, kms_key_arn text, signature bytea, signature_algorithm text,
    signed_at timestamptz
  )
  language sql stable security definer set search_path = signing, pg_temp as $$
    select * from (
      select 'signature', r.status, null, r.document_sha256, r.kms_key_arn, r.signature, r.signature_algorithm, r.signed_at
        from signature_request r where r.document_sha256 = p_sha256 and r.status = 'signed'
      union all
      select 'envelope', e.status, e.public_id, e.document_sha256, e.kms_key_arn, e.signature, e.signature_algorithm, e.signed_at
        from envelope e where e.document_sha256 = p_sha256 and e.status = 'sealed'
    ) as sealed (kind, status, public_id, document_sha256, kms_key_arn, signature, signature_algorithm, signed_at)
    order by sealed.signed_at limit 1
  $$`;

/** An envelope by its public id, its signers in their order and the links of its trail, without what they hold. */
const PUBLIC_ENVELOPE = `
  create function signing.find_public_envelope(p_public_id text)
  returns table (
    public_id text, status text, tenant_id uuid, document_sha256 bytea, kms_key_arn text, signature bytea,
    signature_algorithm text, signed_at timestamptz, base_document_sha256 bytea, signers jsonb, trail jsonb
  )
  language sql stable security definer set search_path = signing, pg_temp as $$
    select e.public_id, e.status, e.tenant_id, e.document_sha256, e.kms_key_arn, e.signature, e.signature_algorithm, e.signed_at,
           c.base_pdf_sha256,
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'name', s.name, 'role', s.role, 'status', s.status,
                     'signed_at', to_char(s.signed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                   ) order by s.ord, s.role), '[]')
              from envelope_signer s where s.envelope_id = e.id),
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'seq', t.seq, 'type', t.type, 'role', t.role, 'hash', t.hash, 'prev_hash', t.prev_hash,
                     'at', to_char(t.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                   ) order by t.seq), '[]')
              from envelope_event t where t.envelope_id = e.id)
      from envelope e
      join circuit c on c.id = e.circuit_id
     where e.public_id = p_public_id
  $$`;

const FUNCTIONS = 'signing.find_sealed_document, signing.find_public_envelope';

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
