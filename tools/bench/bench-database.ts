import { appRole, type ModuleSchema, ownerRole, urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import pg from 'pg';
import { prepareDatabase, startCluster, TEST_PASSWORD } from '@constancia/testing/cluster';
import type { TestDatabase } from '@constancia/testing/test-database';

/** A server of its own, whose commits reach the disk, with the schemas of some modules and the queue's. `drop` ends it. */
export async function benchDatabase(schemas: ModuleSchema[]): Promise<TestDatabase> {
  const cluster = await startCluster({ durable: true });
  await prepareDatabase(cluster.adminUrl, schemas, migrateQueue);
  const admin = new pg.Pool({ connectionString: cluster.adminUrl, max: 4 });
  admin.on('error', () => undefined); // end() resolves before its connections are closed, and the server may close them first
  return {
    adminUrl: cluster.adminUrl,
    app: (schema) => urlFor(cluster.adminUrl, appRole(schema), TEST_PASSWORD),
    owner: (schema) => urlFor(cluster.adminUrl, ownerRole(schema), TEST_PASSWORD),
    queueUrl: urlFor(cluster.adminUrl, 'queue_app', TEST_PASSWORD),
    async query<Row>(sql: string, params: unknown[] = []) {
      return (await admin.query(sql, params)).rows as Row[];
    },
    async drop() {
      await admin.end();
      await cluster.remove();
    },
  };
}
