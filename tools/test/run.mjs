/**
 * npm test: everything but long load and chaos runs. Installs what it needs, says what it had to skip and why, and ends with
 * what failed, each with its reason, and one line "N passed, N failed, N skipped". With CI=true a skipped test is a failure.
 *
 * npm test -- --only=unit,int   some of the steps: lint, types, openapi, unit, int, build, e2e
 * npm test -- --shared-users    the specs that use ../shared, and nothing else. After a whole run and with SHARED_DIR='', a test
 *                               that passed in that run may be skipped: hiding ../shared is its only reason. Specs whose cases are
 *                               variants of one another then run one of them (SHARED_HIDDEN_AGAIN).
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { specsThatUseShared } from './shared-users.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');
const sharedUsers = process.argv.includes('--shared-users');
const skipsForbidden = process.env.CI === 'true';
const LINES_OF_A_REASON = 30;
const totals = { passed: 0, failed: 0, skipped: 0 };
const skippedTests = [];
/** Skipped because ../shared is hidden, and for nothing else. */
let hidden = 0;
/** What failed, told again at the end: the end is what is left of a long log. */
const failures = [];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`);
  process.exit(1);
}
process.chdir(root);
const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NO_COLOR: '1', NODE_NO_WARNINGS: '1' };

function run(command, args, options = {}) {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env, ...options }).status ?? 1;
}

if (!fs.existsSync('node_modules/vitest')) {
  console.log('— install (npm ci)');
  if (run('npm', ['ci', '--no-audit', '--no-fund']) !== 0) process.exit(1);
}
const bin = (name) => path.join(root, 'node_modules/.bin', name);

/** Commands one after the other until one fails; what they print is kept. */
async function inTurn(commands) {
  let output = '';
  for (const [command, ...args] of commands) {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const status = await new Promise((resolve) => child.once('close', resolve));
    if (status !== 0) return { status, output };
  }
  return { status: 0, output };
}

/** Runs a check that is a few commands; several may run at once. */
async function check(name, ...commands) {
  if (sharedUsers ? name !== 'build' : only && !only.includes(name)) return;
  const started = Date.now();
  const { status, output } = await inTurn(commands);
  if (status !== 0) console.log(output.trim());
  console.log(`— ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  totals[status === 0 ? 'passed' : 'failed'] += 1;
  if (status !== 0) failures.push({ name, reason: output.trim() });
}

/** Names of the tests that passed in the whole run, if ../shared is hidden in this one. */
function passedWithShared(project) {
  const report = path.join(root, 'dist/reports', `${project}.json`);
  if (!sharedUsers || process.env.SHARED_DIR !== '' || !fs.existsSync(report)) return new Set();
  return new Set(
    JSON.parse(fs.readFileSync(report, 'utf8')).testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => status === 'passed')
        .map(({ fullName }) => `${path.relative(root, file.name)}: ${fullName}`),
    ),
  );
}

function suite(project) {
  if (only && !only.includes(project)) return;
  const started = Date.now();
  const passedBefore = passedWithShared(project);
  const report = path.join(root, 'dist/reports', `${project}${sharedUsers ? '-shared-users' : ''}.json`);
  fs.rmSync(report, { force: true });
  console.log(`— ${project}`);
  const vitest = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const again = passedBefore.size > 0 ? { SHARED_HIDDEN_AGAIN: '1' } : {};
  const status = run(bin('vitest'), [...vitest, ...(sharedUsers ? specsThatUseShared(root) : [])], {
    env: { ...env, ...again },
  });
  if (!fs.existsSync(report)) {
    totals.failed += 1;
    failures.push({ name: project, reason: 'It ended without a report.' });
    return;
  }
  const result = JSON.parse(fs.readFileSync(report, 'utf8'));
  totals.passed += result.numPassedTests;
  totals.failed += result.numFailedTests;
  for (const file of result.testResults) {
    const where = path.relative(root, file.name);
    if (file.message) failures.push({ name: where, reason: file.message });
    for (const test of file.assertionResults) {
      if (test.status === 'passed') continue;
      if (test.status === 'failed') {
        failures.push({ name: `${where}: ${test.fullName}`, reason: test.failureMessages.join('\n') });
        continue;
      }
      const name = `${where}: ${test.fullName}`;
      totals.skipped += 1;
      if (passedBefore.has(name)) hidden += 1;
      else skippedTests.push(name);
    }
  }
  if (status !== 0 && result.numFailedTests === 0) {
    totals.failed += 1;
    failures.push({ name: project, reason: 'It failed outside its tests: see its end above.' });
  }
  console.log(`— ${project}: ${status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

fs.mkdirSync('dist/reports', { recursive: true });
fs.rmSync('dist/reports/operations', { recursive: true, force: true });
const node = (...args) => [process.execPath, ...args];
await Promise.all([
  check(
    'lint',
    // The boundary rule reads a cached project graph and would only warn without one.
    [bin('nx'), 'graph', '--file=dist/reports/graph.json'],
    [bin('eslint'), '.', '--max-warnings=0'],
    [bin('prettier'), '--check', '--log-level=warn', '.'],
  ),
  check(
    'types',
    [bin('tsc'), '--noEmit', '-p', 'tsconfig.json'],
    [bin('tsc'), '--noEmit', '-p', 'apps/signer-web'],
    [bin('tsc'), '--noEmit', '-p', 'apps/signer-web/e2e'], // and with it, what stands in for the server
  ).then(() => check('openapi', node('tools/run.mjs', 'tools/openapi/generate.ts', '--check'))),
]);
await check('build', node('tools/build/build.mjs'));
suite('unit');
suite('int');
suite('e2e');
if (hidden > 0) console.log(`\n${hidden} tests are skipped because ../shared is hidden: they passed with it.`);
await check('operations', node('tools/run.mjs', 'tools/openapi/unused-operations.ts'));

if (skippedTests.length > 0) {
  console.log(
    `\nSkipped (${skipsForbidden ? 'not allowed with CI=true' : 'see the messages above for what is missing here'}):`,
  );
  for (const name of skippedTests) console.log(`  ${name}`);
}
if (failures.length > 0) {
  console.log('\nFailed:');
  for (const { name, reason } of failures) {
    const lines = reason.split('\n').filter((line) => !line.includes('node_modules'));
    console.log(`\n  ${name}`);
    for (const line of lines.slice(0, LINES_OF_A_REASON)) console.log(`    ${line.slice(0, 400)}`);
    if (lines.length > LINES_OF_A_REASON)
      console.log(`    (and ${lines.length - LINES_OF_A_REASON} lines more, above)`);
  }
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed > 0 || (skipsForbidden && skippedTests.length > 0) ? 1 : 0);
