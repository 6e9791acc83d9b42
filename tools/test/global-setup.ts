import fs from 'node:fs';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { prepareDatabase, startCluster, TEMPLATE_DATABASE } from '@constancia/testing/cluster';
import type { Cluster } from '@constancia/testing/cluster';
import { type Pooler, POOL_OF_TESTS, poolerWanted, startPooler } from '@constancia/testing/pooler';

/**
 * One PostgreSQL server for the run, and in it a template database with every module migrated. run.mjs, which starts a run for each
 * project, names a folder in TEST_TEMPLATE: the first run that needs the template leaves a copy there, and the others begin with that.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env.TEST_TEMPLATE;
  const copyOf = kept !== undefined && fs.existsSync(kept) ? kept : undefined;
  const cluster = await startCluster({ copyOf });
  if (copyOf === undefined) {
    await makeTemplate(cluster);
    if (kept !== undefined) await cluster.copyTo(kept);
  }
  project.provide('postgresUrl', cluster.adminUrl);
  const pooler: Pooler | undefined = poolerWanted
    ? await startPooler({ serverUrl: cluster.adminUrl, poolSize: POOL_OF_TESTS })
    : undefined;
  project.provide('poolerPort', pooler?.port);
  return async () => {
    await pooler?.remove();
    await cluster.remove();
  };
}

async function makeTemplate({ adminUrl }: Cluster): Promise<void> {
  const { migrateQueue, modules } = await import('./migrations.ts');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`create database ${TEMPLATE_DATABASE}`);
  await client.end();
  const template = new URL(adminUrl);
  template.pathname = `/${TEMPLATE_DATABASE}`;
  await prepareDatabase(template.toString(), modules, migrateQueue);
}
