import { idempotencySchema } from '@constancia/idempotency';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers to rotations of API keys, sealed, so that one whose answer was lost can be repeated. */
export class RotationAnswers1764000001010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(idempotencySchema('platform'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
