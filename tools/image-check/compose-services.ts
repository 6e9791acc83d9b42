import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type AppName, redisInstalled, startRedis, type TestRedis } from '@constancia/testing';
import pg from 'pg';
import { parse } from 'yaml';
import { filledIn, variablesIn } from '../deploy/compose-values.ts';
import { rolePassword } from '../local/role-password.mjs';
import { type DeploymentServices, portsFor, startServers, variablesOf } from './deployment-services.ts';

/** A service as the compose file has it, its variables filled in. */
export interface ComposeService {
  image: string;
  environment: Record<string, string>;
  entrypoint?: string[];
  command?: string[];
  /** What is mounted, by the path of the container. */
  volumes: ReadonlyMap<string, string>;
}

export interface ComposeServices extends DeploymentServices {
  service(name: string): ComposeService;
}

/**
 * What the compose file of a release runs beside our images, on loopback: PostgreSQL, S3, KMS and, where it is installed, Redis. The
 * variables are those of the file and of the .env that the release's program writes, filled in as a person would; only addresses of
 * servers and ports are those here, and nothing calls the internet. `version` is the release's; .env goes into `folder`.
 */
export async function composeServices(
  release: string,
  { version, apps, folder }: { version: string; apps: readonly AppName[]; folder: string },
): Promise<ComposeServices> {
  const place = path.join(release, 'deploy/compose');
  execFileSync(process.execPath, [path.join(place, 'create-env.mjs'), version, folder], { stdio: 'pipe' });
  const operator = { name: 'ana', sha256: createHash('sha256').update(randomBytes(32)).digest('hex'), roles: ['read'] };
  fs.writeFileSync(path.join(folder, 'operators/operators.json'), JSON.stringify([operator]));
  const servers = await startServers();
  const { kms, cluster, s3Url } = servers;
  const env: Record<string, string> = {
    ...variablesIn(path.join(folder, '.env')),
    SERVICE_ENVIRONMENT: 'sandbox',
    ...Object.fromEntries(
      ['PLATFORM', 'COMPLIANCE', 'SIGNING', 'SIGN', 'CONSOLE', 'PERSON', 'S3'].map((name) => [
        `${name}_HOST`,
        `${name.toLowerCase()}.bank.example`,
      ]),
    ),
    // The only key that the store here knows.
    ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    ...{ KMS_KEY_ID: kms.keyId, STATEMENT_KEY_ID: kms.keyId, DATA_KEY_ID: 'alias/constancia-data' },
    SIGNING_CERTIFICATE_SUBJECT: 'CN=Bank, C=CO',
    SMTP_URL: 'smtp://127.0.0.1:2525',
    MAIL_FROM: 'Constancia <no-reply@bank.example>',
  };
  const redis: TestRedis | undefined = redisInstalled
    ? await startRedis({ password: env.REDIS_PASSWORD as string })
    : undefined;
  await makeDatabase(cluster.adminUrl, env.POSTGRES_PASSWORD as string);
  const ports = await portsFor(apps);

  /** Names of servers as this machine reaches them. */
  const here = (value: string) =>
    value
      .replace('@postgres:5432/', `@127.0.0.1:${cluster.port}/`)
      .replace('@redis:6379', `@127.0.0.1:${redis?.port ?? 0}`);
  const queue = `postgres://queue_app:${rolePassword(env.ROLES_SECRET as string, 'queue_app')}@postgres:5432/constancia`;
  const { services } = parse(fs.readFileSync(path.join(place, 'compose.yaml'), 'utf8')) as {
    services: Record<string, Omit<ComposeService, 'volumes'> & { volumes?: string[] }>;
  };
  const service = (name: string): ComposeService => {
    const { image, environment, volumes = [], ...others } = services[name] as (typeof services)[string];
    const mounts = volumes.map((volume) => volume.split(':') as [string, string]);
    return {
      ...others,
      image: filledIn(image, { REGISTRY: '', ...env }),
      environment: Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, here(filledIn(value, env))]),
      ),
      volumes: new Map(mounts.map(([from, to]) => [to, path.resolve(from === './operators' ? folder : place, from)])),
    };
  };
  return {
    ports,
    service,
    migration: (app) => service(`${app}-migration`).environment,
    environment: (app) => ({
      ...service(app).environment,
      ...variablesOf(ports[app]),
      ...(redis === undefined && { REDIS_URL: '', QUEUE_DATABASE_URL: here(queue) }),
      S3_ENDPOINT: s3Url,
      KMS_ENDPOINT: kms.url,
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      ...{ TRM_SOCRATA_URL: '', TRM_SOAP_URL: '' },
    }),
    async close() {
      await redis?.kill();
      await servers.close();
    },
  };
}

/** The database and the superuser's password as the image of PostgreSQL makes them. */
async function makeDatabase(adminUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query('create database constancia');
  await client.query(`alter role postgres password ${pg.escapeLiteral(password)}`);
  await client.end();
}
