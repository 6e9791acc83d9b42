/**
 * npm run image-check [-- <app> …] [--commit <ref>] [--again]: builds every app's image from docker/Dockerfile and runs it as a restricted pod would, without
 * a registry or an engine. Needs root, buildah, mmdebstrap and the npm registry. The images are removed afterwards; the base
 * image is kept under .local/image-check. --commit <ref>: of that commit, whatever is being edited; --again: with the
 * bundles of the last run.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { appRole, bootstrap, ownerRole, urlFor, whileMayCreate } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import {
  APPS,
  type AppName,
  startCluster,
  TEST_PASSWORD,
  TEST_QUEUE_SEALING_KEY,
  TEST_SECRETS_KEY,
} from '@constancia/testing';
import { WORKSPACE } from '../build/bundle.mjs';
import { startDevKms } from '../local/dev-kms.mjs';
import { checkConfig, checkMigration, checkRun, type Seen } from './check-app.ts';
import { CheckFailed, command, missing } from './command.ts';
import { ImageStore } from './image-store.ts';

const PROGRAMS = ['buildah', 'mmdebstrap', 'unshare', 'setpriv', 'chroot', 'nsenter', 'git'];

/** Which role's database an app works on. Those that migrate do it for themselves; the platform also for identity. */
const ROLE: Record<AppName, string> = {
  platform: 'platform',
  compliance: 'compliance',
  signing: 'signing',
  'sealing-worker': 'signing',
  'webhook-dispatcher': 'platform',
  'biometrics-worker': 'identity',
};
const MIGRATES: readonly AppName[] = ['platform', 'compliance', 'signing'];

/** The servers that a deployment has, on loopback, and what each app is told of them. */
async function surroundings() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-image-check-'));
  const cluster = await startCluster();
  const databaseAs = (role: string) => urlFor(cluster.adminUrl, role, TEST_PASSWORD);
  await bootstrap(cluster.adminUrl, () => TEST_PASSWORD);
  await whileMayCreate(cluster.adminUrl, 'queue_app', () => migrateQueue(databaseAs('queue_app')));
  const kms = await startDevKms({ dir: path.join(folder, 'kms') });
  return {
    migration: (app: AppName) => ({
      MIGRATION_DATABASE_URL: databaseAs(ownerRole(app)),
      IDENTITY_MIGRATION_DATABASE_URL: databaseAs(ownerRole('identity')),
    }),
    environment: (app: AppName) => ({
      DATABASE_URL: databaseAs(appRole(ROLE[app])),
      IDENTITY_DATABASE_URL: databaseAs(appRole('identity')),
      QUEUE_DATABASE_URL: databaseAs('queue_app'),
      SECRETS_KEY: TEST_SECRETS_KEY,
      QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
      STORAGE_DIR: '/tmp/documents',
      KMS_ENDPOINT: kms.url,
      KMS_KEY_ID: kms.keyId,
      DATA_KEY_ID: 'alias/constancia-data',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'development',
      AWS_SECRET_ACCESS_KEY: 'development',
      SMTP_URL: 'smtp://127.0.0.1:2525',
      MAIL_FROM: 'Constancia <no-reply@constancia.example>',
      BIOMETRICS_PROCESSES: '1',
    }),
    async close() {
      await kms.close();
      await cluster.remove();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The sources, which do not change while images are built: what git tracks as it is now, or as it is in a commit. */
async function snapshot(folder: string, commit: string | undefined): Promise<void> {
  const git = (...args: string[]) => command('git', ['-C', WORKSPACE, ...args]);
  if (commit !== undefined) {
    const archive = path.join(folder, 'sources.tar');
    await git('archive', '--output', archive, commit);
    await command('tar', ['--extract', '--file', archive, '--directory', folder]);
    fs.rmSync(archive);
    return;
  }
  for (const file of (await git('ls-files', '-z')).split('\0').filter((name) => name !== '')) {
    const from = path.join(WORKSPACE, file);
    if (!fs.existsSync(from)) continue;
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.copyFileSync(from, path.join(folder, file));
  }
}

function wanted(args: readonly string[]): AppName[] {
  const unknown = args.filter((name) => !APPS.includes(name as AppName));
  if (unknown.length > 0)
    throw new CheckFailed(`No app is called ${unknown.join(', ')}. There are: ${APPS.join(', ')}.`);
  // The platform's migration publishes what the others' use.
  return APPS.filter((name) => args.length === 0 || name === 'platform' || args.includes(name));
}

async function checkAll(
  apps: readonly AppName[],
  { commit, again }: { commit?: string; again: boolean },
): Promise<Seen[]> {
  const store = new ImageStore(path.join(WORKSPACE, '.local/image-check'));
  const base = await step('Base image', () => store.base());
  const context = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-context-'));
  const around = await surroundings();
  const seen: Seen[] = [];
  try {
    await snapshot(context, commit);
    const sources = { context, base };
    const bundles = await step('Bundles', () => store.bundles(sources, again));
    for (const app of apps) {
      const tag = await step(`${app}: build`, () => store.app(app, bundles, sources));
      try {
        const config = await store.config(tag);
        await store.mounted(tag, async (root) => {
          const image = { root, config };
          checkConfig(app, image);
          if (MIGRATES.includes(app)) {
            await step(`${app}: migrate`, () => checkMigration(app, image, around.migration(app)));
          }
          seen.push(await step(`${app}: run`, () => checkRun(app, image, around.environment(app))));
        });
      } finally {
        await store.remove(tag);
      }
    }
  } finally {
    await around.close();
    fs.rmSync(context, { recursive: true, force: true });
  }
  return seen;
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  console.log(`— ${name}`);
  const result = await work();
  console.log(`  ok (${((performance.now() - from) / 1_000).toFixed(1)} s)`);
  return result;
}

function table(seen: readonly Seen[]): string {
  const rows = seen.map(({ app, appMb, imageMb, liveMs, readyMs, stopMs }) =>
    [app, appMb.toFixed(1), imageMb.toFixed(0), Math.round(liveMs), Math.round(readyMs), Math.round(stopMs)].join(
      ' | ',
    ),
  );
  const head = ['App', 'Bundle (MB)', 'Image (MB)', '/livez (ms)', '/readyz (ms)', 'SIGTERM to end (ms)'];
  return [head.join(' | '), head.map(() => '---').join(' | '), ...rows].map((row) => `| ${row} |`).join('\n');
}

try {
  if (process.getuid?.() !== 0) throw new CheckFailed('This needs root: it mounts, and changes its root folder.');
  const absent = missing(PROGRAMS);
  if (absent.length > 0) throw new CheckFailed(`Not installed: ${absent.join(', ')}.`);
  const { values, positionals } = parseArgs({
    options: { commit: { type: 'string' }, again: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const seen = await checkAll(wanted(positionals), values);
  console.log(
    `\nNode ${process.versions.node}; every image ran as 65532, read-only but for /tmp, without capabilities.\n`,
  );
  console.log(table(seen));
} catch (error) {
  console.error(error instanceof CheckFailed ? error.message : error);
  process.exitCode = 1;
}
