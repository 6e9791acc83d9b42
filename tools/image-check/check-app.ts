import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf } from '../bench/cpu-time.ts';
import { CheckFailed } from './command.ts';
import { Confined } from './confined.ts';
import type { ImageConfig } from './image-store.ts';
import type { Ports } from './deployment-services.ts';

/** The user that every image runs as. No account of that number exists: what it may do, it may do by number. */
export const IMAGE_USER = '65532:65532';
const LIVE_WITHIN_MS = 180_000;
const POLL_MS = 50;

/** Tries to write: read-only everywhere but in /tmp, or it says where it could. */
const WRITES = `
const { writeFileSync } = require('node:fs');
const outcome = (file) => { try { writeFileSync(file, 'x'); return 'written'; } catch (error) { return error.code; } };
console.log(JSON.stringify(['/x', '/app/x', '/etc/x', '/tmp/x'].map(outcome)));
`;

export interface CheckedImage {
  root: string;
  config: ImageConfig;
}

/** What was seen of an app's image. */
export interface Seen {
  app: string;
  /** Of /app: the bundle with what lies beside it. */
  appMb: number;
  imageMb: number;
  liveMs: number;
  readyMs: number;
  /** Seconds of processor time until it is ready. */
  startCpu: number;
  stopMs: number;
}

/** What an image says about itself: who it runs as, what it is, how it is asked for its health. Throws AssertionError. */
export function checkConfig(app: string, { root, config }: CheckedImage): void {
  assert.equal(config.user, IMAGE_USER, 'USER must be numeric, or a cluster cannot see that it is not root');
  assert.equal(config.labels['org.opencontainers.image.title'], `constancia-${app}`);
  assert.equal(config.labels['org.opencontainers.image.licenses'], 'Apache-2.0');
  assert.equal(config.entrypoint[0], 'node', 'ENTRYPOINT must not go through a shell');
  assert.equal(config.healthcheck[0], 'CMD', 'HEALTHCHECK must not go through a shell');
  assert.equal(config.env.SERVICE_ENVIRONMENT, undefined, 'an image must not say which environment it is in');
  for (const unwanted of ['src', 'app/package-lock.json', 'app/src', 'root/.npmrc']) {
    assert.ok(!fs.existsSync(path.join(root, unwanted)), `/${unwanted} is in the image`);
  }
}

/** Runs the migrate command of an image; twice, since it must find nothing to do the second time. */
export async function checkMigration(app: string, image: CheckedImage, env: Record<string, string>): Promise<void> {
  for (const expected of [/applied/, /up to date/])
    assert.match(await runOnce(image, [...image.config.entrypoint, 'migrate'], env), expected, `${app} migrate`);
}

/** Runs a program of an image to its end; what it printed. Throws AssertionError when its exit code is not 0. */
export async function runOnce(
  image: CheckedImage,
  args: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const run = start(image, args, env);
  assert.equal(await run.ended, 0, run.said);
  return run.said;
}

/** What an API shows to people, by the port that shows it. */
const PAGES: Record<string, [keyof Ports, string][]> = {
  platform: [
    ['port', '/docs'],
    ['port', '/api/platform.v1.yaml'],
  ],
  compliance: [
    ['port', '/docs'],
    ['port', '/api/compliance.v1.yaml'],
  ],
  signing: [
    ['port', '/docs'],
    ['port', '/api/signing.v1.yaml'],
    ['sign', '/verify'],
  ],
};

/** Starts an image and looks at it from outside until it has ended by SIGTERM. */
export async function checkRun(
  app: string,
  image: CheckedImage,
  { ports, variables }: { ports: Ports; variables: Record<string, string> },
): Promise<Seen> {
  const writes = start(image, ['node', '-e', WRITES], {});
  assert.equal(await writes.ended, 0, writes.said);
  assert.deepEqual(JSON.parse(writes.said), ['EROFS', 'EROFS', 'EROFS', 'written']);

  const from = performance.now();
  const run = startApp(image, variables);
  try {
    const liveMs = await answers(`http://127.0.0.1:${ports.ops}/livez`, run, from);
    checkConfinement(run);
    const readyMs = await answers(`http://127.0.0.1:${ports.ops}/readyz`, run, from);
    const startCpu = cpuSecondsOf(run.pid);
    for (const [port, page] of PAGES[app] ?? []) await answers(`http://127.0.0.1:${ports[port]}${page}`, run, from);
    await run.beside(image.config.healthcheck.slice(1), { ...image.config.env, OPS_PORT: String(ports.ops) });
    const stopMs = await checkEnd(app, run);
    const sizes = { appMb: megabytes(path.join(image.root, 'app')), imageMb: megabytes(image.root) };
    return { app, ...sizes, liveMs, readyMs, startCpu, stopMs };
  } finally {
    if (run.running) await run.end('SIGKILL');
  }
}

/** Starts an image without SERVICE_ENVIRONMENT: it must say so and end, and be compiled from what the image keeps. */
export async function checkRunWithoutEnvironment(
  image: CheckedImage,
  variables: Record<string, string>,
): Promise<void> {
  const { SERVICE_ENVIRONMENT: _, ...others } = variables;
  const run = startApp(image, { ...others, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
  assert.equal(await run.ended, 1, run.said);
  assert.match(run.said, /V8 code cache for ESM file:\/\/\/app\/main\.js was accepted/);
  assert.match(run.said, /SERVICE_ENVIRONMENT is required/);
}

/** Runs what an image's ENTRYPOINT says. */
export function startApp(image: CheckedImage, variables: Record<string, string>): Confined {
  return start(image, image.config.entrypoint, variables);
}

/** Waits until an app says that it is ready. Throws CheckFailed when it ends before, or takes too long. */
export async function ready(run: Confined, { ops }: Ports): Promise<void> {
  await answers(`http://127.0.0.1:${ops}/readyz`, run, performance.now());
}

/** Ends an app by SIGTERM; milliseconds that it took. Throws AssertionError when its exit code is not 0. */
export async function checkEnd(app: string, run: Confined): Promise<number> {
  const asked = performance.now();
  const code = await run.end('SIGTERM');
  assert.equal(code, 0, `${app} ended with ${code} after SIGTERM:\n${run.said.slice(-2_000)}`);
  return performance.now() - asked;
}

function checkConfinement(run: Confined): void {
  const { uids, gids, groups, effectiveCapabilities, noNewPrivileges } = run.confinement();
  const [uid, gid] = IMAGE_USER.split(':').map(Number);
  assert.deepEqual([...new Set(uids)], [uid]);
  assert.deepEqual([...new Set(gids)], [gid]);
  assert.ok(!groups.includes(0), 'it is in the group of root');
  assert.match(effectiveCapabilities, /^0+$/);
  assert.ok(noNewPrivileges);
}

function start({ root, config }: CheckedImage, args: readonly string[], env: Record<string, string>): Confined {
  return new Confined({ root, user: config.user, env: { ...config.env, ...env }, args });
}

async function answers(url: string, run: Confined, from: number): Promise<number> {
  let last = 'nothing';
  while (performance.now() - from < LIVE_WITHIN_MS) {
    if (!run.running) throw new CheckFailed(`It has ended before it answered:\n${run.said.slice(-2_000)}`);
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 200) return performance.now() - from;
    if (response !== undefined) last = `${response.status} ${(await response.text()).slice(0, 500)}`;
    await sleep(POLL_MS);
  }
  const seconds = LIVE_WITHIN_MS / 1_000;
  throw new CheckFailed(`${url} answered ${last}, and not 200 within ${seconds} s:\n${run.said.slice(-2_000)}`);
}

function megabytes(folder: string): number {
  const bytes = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.lstatSync(path.join(entry.parentPath, entry.name)).size, 0);
  return bytes / 1e6;
}
