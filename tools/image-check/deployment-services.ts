import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { appRole, bootstrap, ownerRole, urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import {
  type AppName,
  type Cluster,
  freePort,
  startCluster,
  TEST_PASSWORD,
  TEST_QUEUE_SEALING_KEY,
  TEST_SECRETS_KEY,
} from '@constancia/testing';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import { DATABASE_ROLE } from '../deploy/modules.ts';

const BUCKET = 'constancia';

/** Where an app listens. */
export interface Ports {
  port: number;
  sign: number;
  console: number;
  person: number;
  ops: number;
}

export interface DeploymentServices {
  ports: Record<AppName, Ports>;
  /** The variables of an app; of its migrate command. */
  environment(app: AppName): Record<string, string>;
  migration(app: AppName): Record<string, string>;
  close(): Promise<void>;
}

/** The servers that a deployment has, on loopback. */
export interface Servers {
  cluster: Cluster;
  kms: DevKms;
  s3Url: string;
  close(): Promise<void>;
}

/** PostgreSQL without roles and schemas, S3, KMS. */
export async function startServers(): Promise<Servers> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-image-check-'));
  const cluster = await startCluster();
  const kms = await startDevKms({ dir: path.join(folder, 'kms') });
  const s3 = await startS3(path.join(folder, 's3'));
  return {
    cluster,
    kms,
    s3Url: s3.url,
    async close() {
      await s3.close();
      await kms.close();
      await cluster.remove();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Free ports for each app. */
export async function portsFor(apps: readonly AppName[]): Promise<Record<AppName, Ports>> {
  const ports = {} as Record<AppName, Ports>;
  for (const app of apps)
    ports[app] = {
      port: await freePort(),
      sign: await freePort(),
      console: await freePort(),
      person: await freePort(),
      ops: await freePort(),
    };
  return ports;
}

/** Where an app listens, as its variables. */
export const variablesOf = ({ port, sign, console, person, ops }: Ports): Record<string, string> => ({
  HOST: '127.0.0.1',
  PORT: String(port),
  SIGN_PORT: String(sign),
  CONSOLE_PORT: String(console),
  PERSON_PORT: String(person),
  OPS_PORT: String(ops),
});

/** A deployment on loopback, with roles and schemas; nothing is migrated. Mail goes nowhere. */
export async function deploymentServices(apps: readonly AppName[]): Promise<DeploymentServices> {
  const servers = await startServers();
  const { cluster, kms } = servers;
  const databaseAs = (role: string) => urlFor(cluster.adminUrl, role, TEST_PASSWORD);
  await bootstrap(cluster.adminUrl, () => TEST_PASSWORD);
  await migrateQueue(databaseAs('queue_app'));
  const ports = await portsFor(apps);
  return {
    ports,
    migration: (app) => ({
      MIGRATION_DATABASE_URL: databaseAs(ownerRole(app)),
      IDENTITY_MIGRATION_DATABASE_URL: databaseAs(ownerRole('identity')),
    }),
    environment: (app) => ({
      SERVICE_ENVIRONMENT: 'sandbox',
      ...variablesOf(ports[app]),
      DATABASE_URL: databaseAs(appRole(DATABASE_ROLE[app])),
      IDENTITY_DATABASE_URL: databaseAs(appRole('identity')),
      QUEUE_DATABASE_URL: databaseAs('queue_app'),
      SECRETS_KEY: TEST_SECRETS_KEY,
      QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: servers.s3Url,
      S3_REGION: 'us-east-1',
      S3_FORCE_PATH_STYLE: 'true',
      KMS_ENDPOINT: kms.url,
      KMS_KEY_ID: kms.keyId,
      STATEMENT_KEY_ID: kms.keyId,
      ARCHIVE_KEY_ID: kms.keyId,
      DATA_KEY_ID: 'alias/constancia-data',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      SMTP_URL: 'smtp://127.0.0.1:2525',
      MAIL_FROM: 'Constancia <no-reply@constancia.example>',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      BIOMETRICS_PROCESSES: '1',
    }),
    close: () => servers.close(),
  };
}

interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

async function startS3(directory: string): Promise<{ url: string; close: () => Promise<void> }> {
  const Server = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver;
  const configureBuckets = [{ name: BUCKET }];
  const server = new Server({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets });
  const { port } = await server.run();
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
