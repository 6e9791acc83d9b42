import { allowCommit } from '@constancia/credit-ledger';
import { personalDataSchema, sealingSweepSchema, sweptTable } from '@constancia/personal-data';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys that personal data of this schema is sealed with, and where it is kept sealed (ADR 0136). */
export class PersonalData1764000000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      personalDataSchema('signing'),
      sealingSweepSchema('signing'),
      COLUMNS,
      sweptTable('signing', 'signature_request', `r.status = 'pending' and r.merge_data <> '{}'`),
      allowCommit('signing', {
        tables: {
          signature_request: ['sealed_merge_data', 'merge_key'],
          envelope: ['sealed_words'],
          envelope_signer: ['sealed_person', 'email_index'],
        },
        functions: ['claim_subject_key'],
      }),
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * merge_key: wrapped with the tenant's key; it ends with the merge data that it sealed, and seals nothing else. The key of a signer or an
 * envelope is the row of `subject_key` with the same id. sealed_person: address and name; email_index: blind index of the address in lower
 * case; sealed_words: subject and message; sealed_end_reason: why it was voided. What is sealed leaves '{}', '' or null in the clear column.
 */
const COLUMNS = `
  alter table signing.signature_request add column sealed_merge_data bytea, add column merge_key bytea;
  alter table signing.envelope add column sealed_words bytea, add column sealed_end_reason bytea;
  alter table signing.envelope_signer add column sealed_person bytea, add column email_index bytea;
  create index envelope_signer_email on signing.envelope_signer (tenant_id, email_index) where email_index is not null`;
