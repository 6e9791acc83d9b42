/**
 * npm run image-check [-- <app> …] [--commit <ref>] [--again]: builds every app's image from docker/Dockerfile and runs it as a
 * restricted pod would, without a registry or an engine: each by itself, then all together through the main job. Needs root,
 * buildah, mmdebstrap and the npm registry. The images are removed afterwards; the base image and the bundles are kept under
 * .local/image-check. --commit <ref>: of that commit, whatever is being edited; --again: with the bundles of the last run.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { APPS, type AppName } from '@constancia/testing';
import { WORKSPACE } from '@constancia/bundling/workspace';
import {
  checkConfig,
  type CheckedImage,
  checkMigration,
  checkRun,
  checkRunWithoutEnvironment,
  type Seen,
} from './check-app.ts';
import { checkTogether, step } from './check-together.ts';
import { nodeOfImages, nodeProgram, versionOf } from '../nodes/node-versions.mjs';
import { CheckFailed, command, missing } from './command.ts';
import { ImageStore, type Sources } from './image-store.ts';
import { type DeploymentServices, deploymentServices } from './deployment-services.ts';

const PROGRAMS = ['buildah', 'mmdebstrap', 'unshare', 'setpriv', 'chroot', 'nsenter', 'git'];
const MIGRATES: readonly AppName[] = ['platform', 'compliance', 'signing'];

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

interface Built {
  image: CheckedImage;
  remove: () => Promise<void>;
}

async function build(store: ImageStore, app: AppName, bundles: string, sources: Sources): Promise<Built> {
  const tag = await store.app(app, bundles, sources);
  const { root, release } = await store.mounted(tag);
  const remove = async () => {
    await release();
    await store.remove(tag);
  };
  return { image: { root, config: await store.config(tag) }, remove };
}

async function checkAlone(app: AppName, image: CheckedImage, around: DeploymentServices): Promise<Seen> {
  checkConfig(app, image);
  if (MIGRATES.includes(app)) {
    await step(`${app}: migrate`, () => checkMigration(app, image, around.migration(app)));
  }
  const given = { ports: around.ports[app], variables: around.environment(app) };
  await step(`${app}: no SERVICE_ENVIRONMENT`, () => checkRunWithoutEnvironment(image, given.variables));
  return step(`${app}: run`, () => checkRun(app, image, given));
}

async function checkAll(
  apps: readonly AppName[],
  { commit, again }: { commit?: string; again: boolean },
): Promise<Seen[]> {
  const store = new ImageStore(path.join(WORKSPACE, '.local/image-check'));
  const base = await step('Base image', () => store.base());
  const context = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-context-'));
  const around = await deploymentServices(APPS);
  const built = new Map<AppName, Built>();
  const seen: Seen[] = [];
  try {
    await snapshot(context, commit);
    const sources = { context, base };
    const bundles = await step('Bundles', () => store.bundles(sources, again));
    for (const app of apps) {
      built.set(app, await step(`${app}: build`, () => build(store, app, bundles, sources)));
      seen.push(await checkAlone(app, (built.get(app) as Built).image, around));
    }
    if (apps.length === APPS.length) {
      await checkTogether(new Map([...built].map(([app, { image }]) => [app, image])), around);
    }
  } finally {
    for (const { remove } of built.values()) await remove();
    await around.close();
    fs.rmSync(context, { recursive: true, force: true });
  }
  return seen;
}

function table(seen: readonly Seen[]): string {
  const rows = seen.map(({ app, appMb, imageMb, liveMs, readyMs, startCpu, stopMs }) =>
    [
      app,
      appMb.toFixed(1),
      imageMb.toFixed(0),
      Math.round(liveMs),
      Math.round(readyMs),
      startCpu.toFixed(2),
      Math.round(stopMs),
    ].join(' | '),
  );
  const head = [
    'App',
    'Bundle (MB)',
    'Image (MB)',
    '/livez (ms)',
    '/readyz (ms)',
    'Start (CPU s)',
    'SIGTERM to end (ms)',
  ];
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
    `\nNode ${versionOf(nodeProgram(nodeOfImages()))}; every image ran as 65532, read-only but for /tmp, without capabilities.\n`,
  );
  console.log(table(seen));
} catch (error) {
  console.error(error instanceof CheckFailed ? error.message : error);
  process.exitCode = 1;
}
