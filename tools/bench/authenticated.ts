/**
 * What it costs to know who is asking: an authenticated GET of a signature request as it is now against the state before scoped keys and
 * members (d92465d4), whose bundles are built from the history. Two deployments of platform and signing side by side, in pairs: the API
 * key on both sides, then a member token against the API key of before, which had no member tokens. Per side, requests a second and
 * processor time of the signing process per request.
 */
import autocannon from 'autocannon';
import { testMember, type TestStack } from '@constancia/testing';
import {
  inStore,
  type Integrator,
  NO_LIMITS,
  requestSignature,
  signUp,
  startDeployment,
  uploadTemplate,
} from '../e2e/deployment.fixture.ts';
import { bundlesOf, migrateWith } from '../release/previous-release.ts';
import { cpuSecondsOf } from './cpu-time.ts';
import { type BenchRow, median, report } from './measure.ts';

const BEFORE = 'd92465d4';
const CONNECTIONS = 32;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const ENV = { ...NO_LIMITS, RATE_LIMIT_TENANT_TOTAL: '100000000', LOG_LEVEL: 'info' };

interface Side {
  url: string;
  pid: number;
  headers: Record<string, string>;
}

interface Measured {
  perSecond: number;
  /** Microseconds on a CPU of the signing process. */
  cpuMicros: number;
}

async function measured({ url, pid, headers }: Side): Promise<Measured> {
  const cpu = cpuSecondsOf(pid);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`);
  return {
    perSecond: result.requests.average,
    cpuMicros: ((cpuSecondsOf(pid) - cpu) * 1e6) / result.requests.total,
  };
}

/** Both sides in turn, the order turned round each time: of neighbours in time the ratios are taken, and of these the median. */
async function pairs(name: string, now: Side, before: Side): Promise<BenchRow[]> {
  const rounds: { now: Measured; before: Measured }[] = [];
  await measured(now);
  await measured(before);
  for (let round = 0; round < ROUNDS; round++) {
    const first = await measured(round % 2 === 0 ? now : before);
    const second = await measured(round % 2 === 0 ? before : now);
    rounds.push(round % 2 === 0 ? { now: first, before: second } : { now: second, before: first });
  }
  return (
    [
      ['requests a second', 'perSecond', '/s', '≥ 0.95'],
      ['processor time of a request', 'cpuMicros', ' µs', '≤ 1.05, ≤ 90 µs'],
    ] as const
  ).map(([what, member, unit, goal]) => {
    const ratios = rounds.map((round) => round.now[member] / round.before[member]);
    console.log(`${name}, ${what}, rounds: ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`);
    const of = (side: 'now' | 'before') => Math.round(median(rounds.map((round) => round[side][member])));
    return {
      name: `${name}: ${what}`,
      ours: `${of('now')}${unit}`,
      other: `${of('before')}${unit} (API key, ${BEFORE})`,
      ratio: median(ratios),
      goal,
    };
  });
}

async function signatureUrl(stack: TestStack, integrator: Integrator): Promise<string> {
  const templateId = await uploadTemplate(stack, integrator);
  const { id } = (await (await requestSignature(stack, integrator, templateId)).json()) as { id: string };
  return `/v1/signatures/${id}`;
}

const bundles = bundlesOf(BEFORE);
const before = await startDeployment({ env: ENV, modules: [], checked: false, apps: [] });
const stack = await startDeployment({ env: ENV, apps: ['platform', 'signing'] });
try {
  migrateWith(bundles, (role) => before.databaseUrl(role));
  const [platform, signing] = await Promise.all(
    (['platform', 'signing'] as const).map((name) => before.another(name, { bundles })),
  );
  if (!platform || !signing) throw new Error('the apps of before are missing');
  await Promise.all([platform.start(), signing.start()]);
  const urlOf = (port: string | undefined) => `http://127.0.0.1:${port}`;
  const beforeStack = { ...before, baseUrl: urlOf(platform.env.PORT), signingUrl: urlOf(signing.env.PORT) };
  const [integrator, earlier] = [await signUp(stack), await signUp(beforeStack)];
  const store = { query: <Row>(sql: string, params?: unknown[]) => inStore<Row>(stack, sql, params) };
  const member = await testMember(store, integrator.tenantId, 'owner');
  await inStore(stack, `update platform.member_token set expires_at = now() + interval '1 day'`);
  const other: Side = {
    url: `${beforeStack.signingUrl}${await signatureUrl(beforeStack, earlier)}`,
    pid: signing.pid,
    headers: { 'X-API-Key': earlier.apiKey },
  };
  const url = `${stack.signingUrl}${await signatureUrl(stack, integrator)}`;
  const now = (headers: Record<string, string>): Side => ({ url, pid: stack.app('signing').pid, headers });
  report([
    ...(await pairs('GET with an API key', now({ 'X-API-Key': integrator.apiKey }), other)),
    ...(await pairs('GET with a member token', now({ Authorization: `Bearer ${member.token}` }), other)),
  ]);
} finally {
  await Promise.all([before.close(), stack.close()]);
}
process.exit(0);
