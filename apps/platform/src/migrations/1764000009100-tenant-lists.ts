import { withoutIdStatistics } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of a tenant cost the same whatever other tenants have just added (ADR 0252). */
export class TenantLists1764000009100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(withoutIdStatistics('platform'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
