import { migrateQueue } from '@constancia/queue';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';
import { prepareDatabase, startCluster, TEMPLATE_DATABASE } from '@constancia/testing/cluster';

/** One PostgreSQL server for the run, and in it a template database with every module migrated. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  const client = new pg.Client({ connectionString: cluster.adminUrl });
  await client.connect();
  await client.query(`create database ${TEMPLATE_DATABASE}`);
  await client.end();
  const template = new URL(cluster.adminUrl);
  template.pathname = `/${TEMPLATE_DATABASE}`;
  await prepareDatabase(template.toString(), [PLATFORM, IDENTITY, COMPLIANCE, SIGNING], migrateQueue);
  project.provide('postgresUrl', cluster.adminUrl);
  return () => cluster.remove();
}
