import { allowCommit } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of new subjects are rows that commit_work writes, those of many screenings in one statement: a call for each took longer. */
export class SubjectKeysTogether1764000007310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(allowCommit('compliance', { tables: { subject_key: ['id', 'ref', 'wrapped_key'] } }));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
