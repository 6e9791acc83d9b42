import { allowCommit, type CommitList, commitListTables, commitWorkFunction } from '@constancia/credit-ledger';
import { allowChainTypes, chainTypeTable, type ChainTypes, guardChain } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENVELOPE_TRAIL } from '../envelope-records/envelope-chain.ts';

/** What commit_work may write: new requests and envelopes; how they end is written by the schema's own functions. */
const COMMIT_LIST: CommitList = {
  tables: {
    signature_request: [
      'id', 'template_id', 'subject_ref', 'merge_data', 'status', 'credits_debited', 'created_at', 'traceparent',
    ], // prettier-ignore
    envelope: [
      'id', 'circuit_id', 'public_id', 'status', 'subject', 'message', 'locale', 'notify', 'credits_debited', 'expires_at',
      'created_at', 'traceparent',
    ], // prettier-ignore
    envelope_signer: [
      'id', 'envelope_id', 'role', 'ord', 'email', 'name', 'auth', 'status', 'token_hash', 'token_sealed', 'access_code_hash',
    ], // prettier-ignore
    signer_mail: ['id', 'envelope_id', 'signer_id', 'kind', 'secret', 'dedupe', 'expires_at'],
  },
  functions: ['record_envelope_event'],
};

/** envelope.sealed and envelope.failed are written by the sealing run, which works across tenants. */
const TRAIL_TYPES: ChainTypes = {
  types: [
    'envelope.sent', 'signer.notified', 'signer.viewed', 'signer.consented', 'signer.otp_sent', 'signer.otp_failed',
    'signer.locked', 'signer.authenticated', 'signer.signed', 'signer.declined', 'signer.reminded', 'signer.token_rotated',
    'envelope.voided', 'envelope.expired',
  ],
  acrossTenants: ['envelope.sealed', 'envelope.failed'],
}; // prettier-ignore

/** A UUID as a TypeID: 128 bits as 26 characters of Crockford's base32. As libs/kernel writes it. */
const TYPE_ID = `
  create function signing.type_id(p_prefix text, p_id uuid) returns text
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  declare
    bits bit varying := B'00' || ('x' || replace(p_id::text, '-', ''))::bit(128);
    written text := p_prefix || '_';
  begin
    for i in 0..25 loop
      written := written
        || substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(bits from 1 + 5 * i for 5)::bit(5)::int, 1);
    end loop;
    return written;
  end $$;
  revoke all on function signing.type_id from public`;

/** An event about a signer names a signer of its envelope; the end of sealing is what the envelope's row says it is. */
const GUARD_SUBJECT = `
  create function signing.guard_envelope_event() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  begin
    if (new.type like 'signer.%' or new.role is not null or new.signer_id is not null) and not exists (
      select from envelope_signer s
       where s.envelope_id = new.envelope_id and s.tenant_id = new.tenant_id and s.role = new.role
         and type_id('sgn', s.id) = new.signer_id) then
      raise exception 'the envelope has no such signer' using errcode = 'CN403';
    end if;
    if new.type in ('envelope.sealed', 'envelope.failed') and not exists (
      select from envelope e where e.id = new.envelope_id and 'envelope.' || e.status = new.type) then
      raise exception 'the envelope is not %', substr(new.type, 10) using errcode = 'CN403';
    end if;
    return new;
  end $$;
  revoke all on function signing.guard_envelope_event from public;
  create trigger guard_subject before insert on signing.envelope_event
    for each row execute function signing.guard_envelope_event()`;

/** What the processes may write through the schema's own functions, stated in the store (ADR 0128). */
export class SigningWriteRules1763900000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      commitListTables('signing'),
      allowCommit('signing', COMMIT_LIST),
      commitWorkFunction('signing'),
      chainTypeTable('signing'),
      allowChainTypes(ENVELOPE_TRAIL, TRAIL_TYPES),
      guardChain(ENVELOPE_TRAIL),
      TYPE_ID,
      GUARD_SUBJECT,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
