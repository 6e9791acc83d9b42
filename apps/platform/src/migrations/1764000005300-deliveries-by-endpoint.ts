import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries are found by endpoint and by type: a tenant has few of either, and each has its newest at hand. */
export class DeliveriesByEndpoint1764000005300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index if not exists delivery_by_endpoint on platform.delivery (tenant_id, endpoint_id, event_type, event_id, id)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
