import { randomUUID } from 'node:crypto';
import { appRole, ownerRole, urlFor } from '@constancia/persistence';
import pg from 'pg';
import { inject } from 'vitest';
import { TEMPLATE_DATABASE, TEST_PASSWORD } from './cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser address of the run's PostgreSQL server. */
    postgresUrl: string;
    /** The port of the pooler in front of it, with TEST_POOLER=1. */
    poolerPort: number | undefined;
  }
}

/** A database of one's own with every module's schema: a clone of the migrated template. */
export interface TestDatabase {
  /** Superuser address. */
  adminUrl: string;
  /** Address for a module's app role, for example app('signing'). */
  app(schema: string): string;
  owner(schema: string): string;
  /** Address for the queue's Postgres backend. */
  queueUrl: string;
  /** Runs one statement as superuser (row-level security does not apply). */
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Clones the template (about 100 ms). One per test file; use a fresh tenant per test. */
export async function testDatabase(serverUrl: string = inject('postgresUrl')): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name} template ${TEMPLATE_DATABASE}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const adminUrl = url.toString();
  const admin = new pg.Pool({ connectionString: adminUrl, max: 3 });
  admin.on('error', () => undefined);
  return {
    adminUrl,
    app: (schema) => urlFor(adminUrl, appRole(schema), TEST_PASSWORD),
    owner: (schema) => urlFor(adminUrl, ownerRole(schema), TEST_PASSWORD),
    queueUrl: urlFor(adminUrl, 'queue_app', TEST_PASSWORD),
    async query<Row>(sql: string, params: unknown[] = []) {
      return (await admin.query(sql, params)).rows as Row[];
    },
    async drop() {
      await admin.end();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
