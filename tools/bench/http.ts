/** Authenticated GET of a signature request through the whole stack, against the same framework answering a constant. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { bundled } from '@constancia/testing/bundled';
import { NO_LIMITS, requestSignature, signUp, startDeployment, uploadTemplate } from '../e2e/deployment.fixture.ts';
import { compare, report } from './measure.ts';

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

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`);
  return result.requests.average;
}

const ours = () => requestsPerSecond(`${stack.signingUrl}/v1/signatures/${id}`, { 'X-API-Key': integrator.apiKey });
const other = () => requestsPerSecond(`${constantUrl}/v1/signatures/${id}`, {});
await ours();
await other();
const result = await compare(ROUNDS, ours, other);
constant.kill();
await stack.close();
report([
  {
    name: 'Authenticated GET, whole stack',
    ours: `${Math.round(result.ours)}/s`,
    other: `${Math.round(result.other)}/s (constant)`,
    ratio: result.ratio,
    goal: '≥ 0.5',
  },
]);
console.log(`rounds: ${result.ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
process.exit(0);
