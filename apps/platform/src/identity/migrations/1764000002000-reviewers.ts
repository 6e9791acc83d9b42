import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The principal of each review (Actor); null in reviews that a process of the former release wrote. */
export class IdentityReviewers1764000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table identity.session_review add column by jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table identity.session_review drop column by');
  }
}
