/** Authenticated GET of a signature request through the whole stack, against the same framework answering a constant. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { bundled } from '@constancia/testing/bundled';
import { NO_LIMITS, requestSignature, signUp, startDeployment, uploadTemplate } from '../e2e/deployment.fixture.ts';
import { cpuSecondsOf } from './cpu-time.ts';
import { type BenchRow, median, report } from './measure.ts';

const CONNECTIONS = 64;
const SECONDS = 5;
const ROUNDS = 5;

const stack = await startDeployment({ env: { ...NO_LIMITS, LOG_LEVEL: 'info' }, apps: ['platform', 'signing'] });
const integrator = await signUp(stack);
const templateId = await uploadTemplate(stack, integrator);
const { id } = (await (await requestSignature(stack, integrator, templateId)).json()) as { id: string };

const constant = spawn(process.execPath, [await bundled(path.join(WORKSPACE, 'tools/bench/constant-app.ts'))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(constant.stdout, 'data')) as [Buffer];
const { url: constantUrl } = JSON.parse(line.toString()) as { url: string };

interface Measured {
  perSecond: number;
  /** Microseconds on a CPU of the process that answers. */
  cpuMicros: number;
}

async function measured(pid: number, url: string, headers: Record<string, string>): Promise<Measured> {
  const cpu = cpuSecondsOf(pid);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`);
  return {
    perSecond: result.requests.average,
    cpuMicros: ((cpuSecondsOf(pid) - cpu) * 1e6) / result.requests.total,
  };
}

const ours = () =>
  measured(stack.app('signing').pid, `${stack.signingUrl}/v1/signatures/${id}`, { 'X-API-Key': integrator.apiKey });
const other = () => measured(constant.pid as number, `${constantUrl}/v1/signatures/${id}`, {});
await ours();
await other();
const rounds: { ours: Measured; other: Measured }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const first = await (round % 2 === 0 ? ours : other)();
  const second = await (round % 2 === 0 ? other : ours)();
  rounds.push(round % 2 === 0 ? { ours: first, other: second } : { ours: second, other: first });
}
constant.kill();
await stack.close();
const row = (name: string, member: keyof Measured, unit: string, goal: string): BenchRow => {
  const ratios = rounds.map((round) => round.ours[member] / round.other[member]);
  console.log(`${name}, rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
  const middle = (side: 'ours' | 'other') => Math.round(median(rounds.map((round) => round[side][member])));
  const [own, constantly] = [`${middle('ours')}${unit}`, `${middle('other')}${unit} (constant)`];
  return { name, ours: own, other: constantly, ratio: median(ratios), goal };
};
report([
  row('Authenticated GET, whole stack', 'perSecond', '/s', '≥ 0.5'),
  row('Authenticated GET: processor time of a request', 'cpuMicros', ' µs', '≤ 90 µs'),
]);
process.exit(0);
