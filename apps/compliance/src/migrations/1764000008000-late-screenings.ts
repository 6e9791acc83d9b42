import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The second pass after a list changed reads the subjects that were screened meanwhile, not all that are monitored. docs/guides/upgrade.md
 * says how to build the index beforehand.
 */
export class LateScreenings1764000008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index if not exists monitored_subject_screened on compliance.monitored_subject (tenant_id, screened_at)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
