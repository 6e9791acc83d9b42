import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identity lists archived trails of sessions with the tenants' names (ADR 0267). */
export class TenantsByNameForIdentity1764000009800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('grant execute on function platform_v1.tenant_named to identity_owner');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
