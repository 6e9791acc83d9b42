import { allowCommit } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Values of the sender, and those that prefill fields of signers: sealed, and erased when the envelope ends (ADR 0231). */
export class EnvelopeValues1764000006010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      COLUMNS,
      ...ERASURE,
      SIGNER_VALUES,
      SIGNERS,
      allowCommit('signing', { tables: { envelope: ['sealed_values'], envelope_signer: ['sealed_prefill'] } }),
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const COLUMNS = `
  alter table signing.envelope add column sealed_values bytea;
  alter table signing.envelope_signer add column sealed_prefill bytea`;

/** By triggers, so that every way there erases them. A failed envelope keeps them as it keeps what signers gave, until its retention is over. */
const ERASURE = [
  `create function signing.erase_sent_values() returns trigger
   language plpgsql security definer set search_path = signing, pg_temp as $$
   begin
     new.sealed_values := null;
     update envelope_signer set sealed_prefill = null where envelope_id = new.id and sealed_prefill is not null;
     return new;
   end $$`,
  `create trigger erase_sent_values before update of status on signing.envelope
   for each row when (new.status in ('sealed', 'declined', 'voided', 'expired') and new.status is distinct from old.status)
   execute function signing.erase_sent_values()`,
];

const BY_KEY = `(select k.wrapped_key from subject_key k where k.tenant_id =`;

/**
 * For a request of a signer, in addition to find_signer, signer_session and signer_secrets. One row. The fields of the circuit and what was
 * filled in before only where a field of the signer has a condition; bytes of earlier signers in hexadecimal.
 */
const SIGNER_VALUES = `
  create function signing.signer_values(p_signer_id uuid)
  returns table (sealed_prefill bytea, circuit_fields jsonb, sender_values bytea, earlier_values jsonb)
  language plpgsql stable security definer set search_path = signing, pg_temp set enable_seqscan = off
  as $$
  begin
    return query select s.sealed_prefill,
           case when f.conditional then c.fields end,
           case when f.conditional then e.sealed_values end,
           case when f.conditional then (
             select coalesce(jsonb_agg(jsonb_build_object(
                      'id', o.id, 'field_values', o.field_values, 'sealed_values', encode(o.sealed_values, 'hex'),
                      'wrapped_key', encode(${BY_KEY} o.tenant_id and k.id = o.id), 'hex'))), '[]')
               from envelope_signer o where o.envelope_id = s.envelope_id and o.ord < s.ord and o.status = 'signed') end
      from envelope_signer s
      join envelope e on e.id = s.envelope_id
      join circuit c on c.id = e.circuit_id
      cross join lateral (select jsonb_path_exists(c.fields, '$[*] ? (@.signer == $role && exists(@.visible_if))',
                                                   jsonb_build_object('role', s.role)) as conditional) f
     where s.id = p_signer_id;
  end $$`;

/** signers_to_seal_v2 with what the sender filled in. */
const SIGNERS = `
  create function signing.signers_to_seal_v3(p_id uuid, p_lease_token uuid)
  returns table (
    id uuid, role text, email text, name text, consent_version text, consent_locale text, consent_sha256 bytea,
    consented_at timestamptz, viewed_at timestamptz, document_shown_sha256 bytea, auth text[], authenticated_at timestamptz,
    signature_type text, signature_text text, signature_image bytea, signature_sha256 bytea, field_values jsonb,
    signed_at timestamptz, signed_ip text, evidence jsonb,
    sealed_words bytea, envelope_key bytea, sealed_person bytea, sealed_values bytea, sealed_mark bytea, signer_key bytea,
    sender_values bytea
  )
  language sql stable security definer set search_path = signing, pg_temp as $$
    select t.*, e.sealed_values
      from signers_to_seal_v2(p_id, p_lease_token) t
      join envelope_signer s on s.id = t.id
      join envelope e on e.id = s.envelope_id
     order by s.ord, s.role
  $$`;

const NAMES = 'signing.signer_values, signing.signers_to_seal_v3';

const GRANTS = `
  revoke all on function ${NAMES}, signing.erase_sent_values from public;
  grant execute on function ${NAMES} to signing_app`;
