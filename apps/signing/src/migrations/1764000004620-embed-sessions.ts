import { embedSessionSchema } from '@constancia/embed-sessions';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pages of signers, shown in frames of tenants' pages. link_hash: of the link that the signer had when the session was created (ADR 0184). */
export class SigningEmbedSessions1764000004620 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = embedSessionSchema('signing', {
      kind: 'sign',
      target: 'signing.envelope_signer',
      columns: ', link_hash bytea not null check (octet_length(link_hash) = 32)',
      found: { columns: ', link_hash bytea', values: ', e.link_hash', joins: '', conditions: '' },
    });
    for (const sql of statements) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
