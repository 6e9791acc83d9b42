import { commitWorkV2Function } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** commit_work_v2 (ADR 0263). commit_work stays for processes of the former release. */
export class IdentityWorkAsArrays1764000009510 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(commitWorkV2Function('identity'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
