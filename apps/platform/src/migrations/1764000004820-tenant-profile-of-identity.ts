import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The identity module shows persons which tenant an application belongs to, by its present name. */
export class TenantProfileOfIdentity1764000004820 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('grant execute on function platform_v1.tenant_profile to identity_app');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
