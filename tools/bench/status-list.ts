/**
 * The download of a status list of 131,072 credentials, of which one in a hundred is revoked, through the whole stack, against a server
 * that builds, compresses and signs the list for each request and does nothing else. Both get the same number of requests a second, in
 * turn; a second row changes a status every second meanwhile, so that the list is signed again and again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { sleep, typeId } from '@constancia/kernel';
import { bundled } from '@constancia/testing/bundled';
import { Pool } from 'undici';
import { inStore, NO_LIMITS, startDeployment } from '../e2e/deployment.fixture.ts';
import { atRate, type BenchRow, median, percentile, percentilesOf, report } from './measure.ts';

const SIZE = 131_072;
const REVOKED = Math.floor(SIZE / 100);
const PER_SECOND = 60;
const REQUESTS = 300;
const ROUNDS = 3;

const env = { ...NO_LIMITS, TRUSTED_PROXY_HOPS: '1', LOG_LEVEL: 'info' };
const stack = await startDeployment({ env, apps: ['platform'] });
const places = await inStore<{ list_id: string; idx: number }>(
  stack,
  'select * from identity.allot_status_indexes($1, $2)',
  [2 * REVOKED, SIZE],
);
const listId = places[0]?.list_id ?? '';
await revoke(places.slice(0, REVOKED));
const rebuilding = spawn(process.execPath, [await bundled(path.join(WORKSPACE, 'tools/bench/rebuilding-lists.ts'))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(rebuilding.stdout, 'data')) as [Buffer];
const ours = new Pool(stack.baseUrl, { connections: 16 });
const others = new Pool((JSON.parse(line.toString()) as { url: string }).url, { connections: 16 });

/** Each request comes from another address: verifiers do. */
async function download(pool: Pool): Promise<void> {
  const byte = () => Math.floor(Math.random() * 254) + 1;
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: `/v1/wallet/status-list/${typeId('stl', listId)}`,
    headers: { 'x-forwarded-for': `198.${byte()}.${byte()}.${byte()}` },
  });
  const text = await body.text();
  if (statusCode !== 200 || text.split('.').length !== 3) throw new Error(`${statusCode}: ${text.slice(0, 200)}`);
}

function revoke(some: typeof places): Promise<unknown[]> {
  const lists = some.map(({ list_id }) => list_id);
  return inStore(stack, 'select identity.set_statuses($1, $2, 1)', [lists, some.map(({ idx }) => idx)]);
}

const load = (pool: Pool) => atRate(PER_SECOND, REQUESTS, () => download(pool));

async function row(name: string, goal: string, whileOurs: () => () => void = () => () => undefined): Promise<BenchRow> {
  const rounds: { ours: number[]; others: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const stop = whileOurs();
    const own = await load(ours);
    stop();
    rounds.push({ ours: own, others: await load(others) });
  }
  const ratios = rounds.map((each) => percentile(each.others, 0.99) / percentile(each.ours, 0.99));
  return {
    name,
    ours: percentilesOf(rounds.flatMap((each) => each.ours)),
    other: `${percentilesOf(rounds.flatMap((each) => each.others))} (rebuilt for each request)`,
    ratio: median(ratios),
    goal,
  };
}

let next = REVOKED;
function changeEverySecond(): () => void {
  let going = true;
  void (async () => {
    for (await sleep(1_000); going; await sleep(1_000)) await revoke(places.slice(next, ++next));
  })();
  return () => {
    going = false;
  };
}

try {
  await load(ours);
  await load(others);
  report([
    await row('Download a status list of 131,072 credentials', 'p99 ≤ 15 ms'),
    await row('The same, while a credential is revoked every second', 'p99 ≤ 15 ms', changeEverySecond),
  ]);
} finally {
  rebuilding.kill();
  await Promise.all([ours.close(), others.close()]);
  await stack.close();
}
