/**
 * npm run fuzz -- [--minutes N] [--seed S] [--only operationId,operationId]
 *
 * Starts a deployment of its own (npm run build before) and sends it what the OpenAPI files make thinkable and unthinkable. Prints
 * the seed, every finding with the smallest calls that show it, and what each operation answered. Exit 1: there were findings.
 */
import { parseArgs } from 'node:util';
import { described, FuzzRun } from './fuzz-run.ts';
import { brokenLedger, startFuzzStack } from './fuzz-stack.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed}, ${values.minutes} min`);
const { stack, caller, close } = await startFuzzStack();
try {
  const started = Date.now();
  const report = await new FuzzRun({
    ...{ seed, caller, timeMs: Number(values.minutes) * 60_000, only: values.only?.split(',') },
    onFinding: (finding) => console.log(`\n${described(finding)}`),
  }).run();
  for (const [operationId, statuses] of [...report.statuses].sort()) {
    console.log(
      `${operationId.padEnd(28)} ${[...statuses]
        .sort()
        .map(([status, times]) => `${status}×${times}`)
        .join(' ')}`,
    );
  }
  const seconds = (Date.now() - started) / 1000;
  const { slowest, requests, findings } = report;
  console.log(`slowest: ${slowest.operationId}, ${Math.round(slowest.ms)} ms`);
  const broken = await brokenLedger(stack);
  for (const each of broken) console.log(`broken: ${each}`);
  console.log(`${requests} requests in ${seconds.toFixed(0)} s, seed ${seed}: ${findings.length} findings`);
  process.exitCode = findings.length + broken.length > 0 ? 1 : 0;
} finally {
  await close();
}
process.exit();
