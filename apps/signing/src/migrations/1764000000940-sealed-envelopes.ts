import { allowCommit } from '@constancia/credit-ledger';
import { sweptTable } from '@constancia/personal-data';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { READERS, READER_NAMES } from './1764000000940-readers.sql.ts';

/**
 * Envelopes and signers are sealed with keys of their own, rows of subject_key with their ids (ADR 0136). What is sealed leaves null, '{}'
 * or '' in the columns that the release before reads.
 */
export class SealedEnvelopes1764000000940 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      COLUMNS,
      NO_REFS,
      ...READERS,
      COMPLETE,
      sweptTable('signing', 'envelope', 'num_nonnulls(r.subject, r.message, r.end_reason) > 0'),
      sweptTable('signing', 'envelope_signer', `r.sealed_person is null and r.email <> 'erased@erased.invalid'`),
      allowCommit('signing', {
        tables: {
          subject_key: ['id', 'wrapped_key'],
          envelope: ['sealed_words'],
          envelope_signer: ['sealed_person', 'email_index'],
        },
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
 * sealed_values, sealed_mark: what the signer gave, until it is in the sealed document. end_reason_salt: of the digest that the trail has of
 * end_reason, while that is in the clear.
 */
const COLUMNS = `
  alter table signing.envelope_signer add column sealed_values bytea, add column sealed_mark bytea;
  alter table signing.envelope add column end_reason_salt bytea`;

/** Keys of signers and envelopes have no reference: every new envelope would write to this index for nothing. */
const NO_REFS = 'drop index signing.subject_key_of_ref';

/** As before; what the signers gave is erased sealed, too. */
const COMPLETE = `
  create or replace function signing.complete_envelope_sealings(p_seals jsonb) returns setof uuid
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
         set signature_text = null, signature_image = null, field_values = '{}', sealed_values = null, sealed_mark = null,
             otp_hash = null
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

const GRANTS = `
  revoke all on function ${READER_NAMES} from public;
  grant execute on function ${READER_NAMES} to signing_app`;
