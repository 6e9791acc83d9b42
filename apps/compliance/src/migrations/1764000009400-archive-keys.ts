import { archiveKeysSchema } from '@constancia/storage';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The public keys that archived files were signed with (ADR 0256). */
export class ComplianceArchiveKeys1764000009400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(archiveKeysSchema('compliance'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
