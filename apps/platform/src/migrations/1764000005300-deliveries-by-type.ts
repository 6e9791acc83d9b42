import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest deliveries of an endpoint and a type, and the newest events of a type, are at hand however many others there are. */
export class DeliveriesByType1764000005300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index if not exists delivery_by_endpoint on platform.delivery (tenant_id, endpoint_id, event_type, event_id, id)`,
    );
    await runner.query(`create index if not exists event_by_type on platform.event (tenant_id, event_type, event_id)`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
