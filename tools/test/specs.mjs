/**
 * The nx targets `test` and `test-full` of a project: node tools/test/specs.mjs <target> <folder>. Its specs, unit, int and e2e: those
 * whose name holds ".full." by `test-full`, every other one by `test` (vitest.config.ts). The report and the operations that were used
 * go to dist/reports/<target>/<folder>, which nx keeps and puts back when nothing changed.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../build/sources.mjs';

const [target, project] = process.argv.slice(2);
const results = path.join(WORKSPACE, 'dist/reports', target, project);
fs.rmSync(results, { recursive: true, force: true });

// Tests start nx themselves: nothing of this run of it may reach them.
const inherited = Object.entries(process.env).filter(([name]) => !/^(NX_|LERNA_|FORCE_COLOR$)/.test(name));
/**
 * nx runs several projects at once, a core each. The longest has both, since it comes last: in `test` that of tools, whose `test-full`,
 * which measures, kills and starts whole deployments, runs alone; in `test-full` that of the platform.
 */
const bothCores = project === 'tools' || (target === 'test-full' && project === 'apps/platform');
const env = {
  ...Object.fromEntries(inherited),
  NX_DAEMON: 'false',
  NO_COLOR: '1',
  NODE_NO_WARNINGS: '1',
  TEST_TARGET: target,
  OPERATIONS_DIR: path.join(results, 'operations'),
  ...(!bothCores && { VITEST_MAX_WORKERS: '1' }),
};
const vitest = path.join(WORKSPACE, 'node_modules/vitest/vitest.mjs');

/** Runs specs. Answers whether they passed, and the report: one that Vitest did not write has no files. */
function run(specs, file) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path.join(results, file)}`];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...specs, '--passWithNoTests', ...reporters], {
    cwd: WORKSPACE,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const written = path.join(results, file);
  const report = fs.existsSync(written) ? JSON.parse(fs.readFileSync(written, 'utf8')) : { testResults: [] };
  return { passed: status === 0, report };
}

/** A change that breaks something breaks it each time; more files than this are no accident. */
const MOST_UNSTABLE = 2;

const first = run([`${project}/`], 'report.json');
const failed = first.report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
let { passed } = first;
if (failed.length > 0 && failed.length <= MOST_UNSTABLE) {
  console.log(`\nOnce more by themselves, to see whether they fail each time: ${failed.join(', ')}`);
  passed = run(failed, 'again.json').passed; // with it the summary says which specs are unstable
}
process.exit(passed ? 0 : 1);
