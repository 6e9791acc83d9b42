/**
 * npm run test:nodes: the main job, the demo and the tests of child processes on several versions of Node.
 *
 *   npm run test:nodes                 on every version that is supported
 *   npm run test:nodes -- 22 26        on these
 *   npm run test:nodes -- --images     on that of the images
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from '../build/sources.mjs';
import { runningLauncher } from '../local/pids.mjs';
import { TESTED_NODES, nodeOfImages, nodeProgram, versionOf } from './node-versions.mjs';

/** What starts children that read strangers' documents and pictures, and what ends them. */
const CHILDREN = [
  'libs/child-process/src',
  'libs/pdf-sealing/src/pdf-pool.full.spec.ts',
  'libs/pdf-sealing/src/hostile.full.spec.ts',
  'libs/pdf-sealing/src/append/hostile-updates.spec.ts',
  'libs/face-matching/src/hostile.spec.ts',
  'apps/platform/src/identity/uploads/uploads.full.int.spec.ts',
  'apps/biometrics-worker/src/crashes.full.int.spec.ts',
  'apps/sealing-worker/src/killed-child.int.spec.ts',
];

/** Ports of a stack, from a base; far from those of a developer's own. */
const PORT_BASE = 21_600;

function run(name, program, args, environment = {}) {
  const began = performance.now();
  const env = { ...process.env, PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH}`, ...environment };
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: WORKSPACE,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const passed = status === 0;
  if (!passed) console.log(`${stdout}\n${stderr}`.trim());
  console.log(`  ${name}: ${passed ? 'ok' : 'FAILED'} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  return passed;
}

/** Whether all of it passes on one version. */
function testOn(major) {
  const program = nodeProgram(major);
  console.log(`Node ${versionOf(program)}`);
  const base = ['--port-base', String(PORT_BASE)];
  const children = (project) => {
    const files = CHILDREN.filter((file) => (project === 'int') === file.endsWith('.int.spec.ts'));
    const vitest = path.join(WORKSPACE, 'node_modules/vitest/vitest.mjs');
    return run(`child processes (${project})`, program, [vitest, 'run', '--project', project, ...files]);
  };
  return [
    run('start --check', program, ['tools/local/start.mjs', '--check', ...base]),
    run('start', program, ['tools/local/start.mjs', '--detach', ...base]) &&
      run('demo', program, ['tools/local/demo.mjs'], { CI: 'true' }),
    run('stop', program, ['tools/local/stop.mjs']),
    children('unit'),
    children('int'),
  ].every(Boolean);
}

const { values, positionals } = parseArgs({ options: { images: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((major) => !TESTED_NODES.includes(major));
if (unknown.length > 0) {
  console.error(`Not supported: ${unknown.join(', ')}. Supported: ${TESTED_NODES.join(', ')}.`);
  process.exit(2);
}
if (runningLauncher()) {
  console.error('A stack of this checkout runs: end it first (npm run stop).');
  process.exit(2);
}
const majors = values.images ? [nodeOfImages()] : positionals.length > 0 ? positionals : TESTED_NODES;
const failed = majors.filter((major) => !testOn(major));
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed on Node ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);
