/**
 * npm test: lint, types, API descriptions and bundles of every project, then its tests but the long ones, as nx targets: what has not
 * changed since it passed is not run again (nx.json states what each depends on). Installs packages when there are none.
 *
 * npm run test:full: the rest. The specs whose name holds ".full."; API operations that no test of either command called; what uses
 * ../shared once more without it (of what starts deployments and browsers only the main job); the main job and the tests of child
 * processes on the Node version of the images.
 *
 * Both end with what passed, what was skipped, what is unstable and what failed, with reasons. With CI=true a skipped test is a failure.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { specsThatUseShared } from './shared-users.mjs';
import { Summary } from './summary.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`);
  process.exit(1);
}
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
process.chdir(root);
const bin = (name) => path.join(root, 'node_modules/.bin', name);
/** What runs of tests share (global-setup.ts). Named by its maker: when that is killed, the next run of tests removes it (cluster.ts). */
const shared = path.join(os.tmpdir(), `constancia-test-${process.pid}-shared`);
fs.rmSync(shared, { recursive: true, force: true }); // of a process that was killed and had this id
process.on('exit', () => fs.rmSync(shared, { recursive: true, force: true }));
const env = {
  ...process.env,
  TEST_TEMPLATE: path.join(shared, 'data'),
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  NO_COLOR: '1',
  NODE_NO_WARNINGS: '1',
};
const full = process.argv.includes('--full');
/** Options for nx: npm test -- --projects=@constancia/kernel. With them test:full runs the specs of those projects, and nothing else. */
const chosen = process.argv.slice(2).filter((argument) => argument !== '--full');
const summary = new Summary(root, { skipsForbidden: process.env.CI === 'true' });

/**
 * Runs a command; what it prints is shown, or only kept. Answers its exit status and, when kept, its output.
 *
 * @param {string[]} line
 */
function run([command, ...args], { quiet = false, more = {} } = {}) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
  const result = spawnSync(command, args, { stdio, env: { ...env, ...more }, encoding: 'utf8', maxBuffer: 2 ** 30 });
  return { status: result.status ?? 1, output: `${result.stdout ?? ''}${result.stderr ?? ''}` };
}

/** A step that is one command. */
function check(name, command, options) {
  console.log(`\n— ${name}`);
  const { status, output } = run(command, options);
  summary.check(name, status === 0, output);
}

/** Targets of all projects that have them. A task that fails stops nothing but what depends on it. */
function targets(names, parallel) {
  console.log(`\n— ${names.join(', ')}`);
  fs.rmSync(summary.record, { force: true });
  for (const name of names) fs.rmSync(path.join('dist/reports', name), { recursive: true, force: true });
  const nx = [bin('nx'), 'run-many', '-t', ...names, `--parallel=${parallel}`, '--outputStyle=static', ...chosen];
  summary.targets(names, run(nx).output);
}

if (!fs.existsSync('node_modules/vitest')) {
  const { status } = run(['npm', 'ci', '--no-audit', '--no-fund']);
  if (status !== 0) process.exit(1);
}

const cores = Math.max(2, os.availableParallelism());
if (!full) {
  // Where nothing is kept from runs before, one process lints all: a process for each project reads the same types for each.
  const lint = process.env.CI === 'true' && chosen.length === 0 ? 'lint-all' : 'lint';
  targets([lint, 'typecheck', 'openapi', 'build'], Math.min(cores, 8));
  targets(['test'], cores);
} else {
  targets(['test-full'], cores);
}
if (full && chosen.length === 0) {
  if (fs.existsSync('dist/reports/test'))
    check('operations', [process.execPath, 'tools/run.mjs', 'tools/openapi/unused-operations.ts'], { quiet: true });
  else summary.leftOut('operations that no test calls: run `npm test` before, on the same sources');

  console.log('\n— what uses ../shared, without it');
  const report = path.join(root, 'dist/reports/without-shared.json');
  fs.rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const hidden = { SHARED_DIR: '', SHARED_HIDDEN_AGAIN: '1' };
  const specs = specsThatUseShared(root).filter((file) => !file.endsWith('.full.e2e.spec.ts'));
  const { status } = run([bin('vitest'), 'run', ...reporters, ...specs], { more: hidden });
  summary.withoutShared(report, status);

  check('nodes', [process.execPath, 'tools/nodes/test-nodes.mjs', '--images']);
}
process.exit(summary.print(full ? 'npm run test:full' : 'npm test') ? 0 : 1);
