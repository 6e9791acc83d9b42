import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Screenings of a type of subject or of a trigger, and cases resolved lately, are found at the same cost however many there are.
 * docs/guides/upgrade.md says how to build the indexes beforehand.
 */
export class ComplianceFlatReads1764000007510 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INDEXES);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const INDEXES = `
  create index if not exists screening_of_subject_type on compliance.screening (tenant_id, subject_type, id) where erasure_id is null;
  create index if not exists screening_of_trigger on compliance.screening (tenant_id, trigger, id) where erasure_id is null;
  create index if not exists review_case_resolved_lately on compliance.review_case (tenant_id, resolved_at)
    include (opened_at, sla_breached_at, ros_reference) where status = 'resolved' and erasure_id is null`;
