import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a tenant stores with a screening batch; included in its answers and its event. */
export class BatchMetadata1764000006120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table compliance.screening_batch add column metadata jsonb not null default '{}'`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
