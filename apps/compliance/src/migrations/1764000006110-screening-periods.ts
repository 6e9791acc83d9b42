import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Screenings of a period are counted from an index alone: their rows are large. docs/guides/upgrade.md says how to build it beforehand. */
export class ScreeningPeriods1764000006110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index if not exists screening_period on compliance.screening (tenant_id, created_at)
        include (decision, subject_type, trigger, list_hits, list_versions) where erasure_id is null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
