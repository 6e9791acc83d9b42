import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Monitored subjects are listed by their last screening. */
export class MonitoredList1764000005221 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index monitored_subject_listed on compliance.monitored_subject (tenant_id, screening_id)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
