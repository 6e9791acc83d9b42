import { ownedAnswers } from '@constancia/idempotency';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stored answers that are sealed with the key of an envelope are found by it. */
export class OwnedAnswers1764000000935 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ownedAnswers('signing'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index signing.idempotency_key_owner');
  }
}
