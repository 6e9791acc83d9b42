/**
 * 10,000 failed deliveries of 50 tenants, replayed by one command of an operator: how long its dry run takes, how much of their
 * rate live deliveries keep meanwhile, and how long the whole run takes beside a steady load.
 */
import { sleep } from '@constancia/kernel';
import { listenForOperators } from '@constancia/http';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';
import { DispatcherStack } from './dispatcher-stack.ts';
import { type BenchRow, compare, median, report } from './measure.ts';
import { Receivers } from './receivers.ts';

const TENANTS = 50;
const FAILED = 10_000;
const LIVE = 4_000;
const ROUNDS = 5;
const DRY_RUNS = 15;
/** Live events a second beside the whole run. */
const STEADY = 200;

const receivers = await Receivers.start(1);
const [origin] = receivers.origins;
const stack = await DispatcherStack.start([PLATFORM, IDENTITY]);
const platform = await runningPlatform(stack.store);
const token = 'a-token-of-at-least-32-characters!';
const ops = await listenForOperators(platform.app, { token });

interface Run {
  id: string;
  status: string;
  matched: number;
  replayed: number;
}

async function operate(method: string, path: string, body?: object): Promise<Run> {
  const response = await fetch(`http://127.0.0.1:${ops.port}/ops${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Run;
}

const live: string[] = [];
const again: string[] = [];
for (let nth = 0; nth < TENANTS; nth++) {
  live.push(await stack.tenant(`${origin}/live`));
  again.push(await stack.tenant(`${origin}/again`));
}

/** As many as can be, all let go together. */
async function livePerSecond(): Promise<number> {
  await stack.emit(live, LIVE, "next_attempt_at = 'infinity'");
  await stack.store.query("update platform.delivery set next_attempt_at = now() where next_attempt_at = 'infinity'");
  stack.hint(live);
  const started = performance.now();
  const target = receivers.answered('/live') + LIVE;
  while (receivers.answered('/live') < target) await sleep(5);
  return LIVE / ((performance.now() - started) / 1_000);
}

const FAILED_STATE = "status = 'failed', next_attempt_at = null, failed_at = now(), attempts = 12, schedule_step = 12";

const rows: BenchRow[] = [];
await stack.emit(again, FAILED, FAILED_STATE);
await stack.store.query('vacuum analyze platform.delivery');
const filter = { all_tenants: true, reason: 'bench', max: FAILED };
const dryMs: number[] = [];
for (let nth = 0; nth < DRY_RUNS; nth++) {
  const started = performance.now();
  const { matched } = await operate('POST', '/replays', { ...filter, dry_run: true });
  if (matched !== FAILED) throw new Error(`${matched} matched`);
  dryMs.push(performance.now() - started);
}
rows.push({
  name: `Dry run of a replay across all tenants, ${FAILED} failed deliveries, through the ops port`,
  ours: `p50 ${median(dryMs).toFixed(0)} ms, longest ${Math.max(...dryMs).toFixed(0)} ms`,
  other: '–',
  ratio: null,
  goal: '< 1 s',
});

const dispatcher = await stack.dispatcher();
await livePerSecond(); // warms up
const run = await operate('POST', '/replays', filter);
await operate('POST', `/replays/${run.id}/cancel`);
const compared = await compare(
  ROUNDS,
  async () => {
    await operate('POST', `/replays/${run.id}/resume`);
    const before = receivers.answered('/again');
    const rate = await livePerSecond();
    if (receivers.answered('/again') === before) throw new Error('nothing was replayed meanwhile');
    await operate('POST', `/replays/${run.id}/cancel`);
    await sleep(500);
    return rate;
  },
  livePerSecond,
);
const { replayed } = await operate('GET', `/replays/${run.id}`);
rows.push({
  name: `Live deliveries, ${TENANTS} endpoints, as many as can be, while a replay runs at its default rate (100/s)`,
  ours: `${Math.round(compared.ours)}/s; ${replayed} replayed meanwhile`,
  other: `without it ${Math.round(compared.other)}/s`,
  ratio: compared.ratio,
  goal: '≥ 0.9',
});

/** A steady load of live events until `until` says that it is enough; answers how many were delivered per second. */
async function steadily(until: () => boolean): Promise<number> {
  const before = receivers.answered('/live');
  const started = performance.now();
  for (let sent = 0; !until(); sent += STEADY / 10) {
    await stack.emit(live, STEADY / 10);
    stack.hint(live);
    await sleep(Math.max(0, started + ((sent + STEADY / 10) / STEADY) * 1_000 - performance.now()));
  }
  return (receivers.answered('/live') - before) / ((performance.now() - started) / 1_000);
}

// As many failed ones as at first, for the whole run.
await stack.emit(again, replayed, FAILED_STATE);
const alone = performance.now();
const without = await steadily(() => performance.now() - alone > 10_000);
const base = receivers.answered('/again');
const began = performance.now();
const whole = await operate('POST', '/replays', filter);
const during = await steadily(() => receivers.answered('/again') >= base + FAILED);
const seconds = (performance.now() - began) / 1_000;
const ended = await operate('GET', `/replays/${whole.id}`);
if (ended.status !== 'completed' || ended.replayed !== FAILED) throw new Error(JSON.stringify(ended));
rows.push({
  name: `${FAILED} failed deliveries replayed by one command at the default rate, beside ${STEADY} live events a second`,
  ours: `all delivered after ${seconds.toFixed(1)} s; live ${Math.round(during)}/s`,
  other: `live without it ${Math.round(without)}/s`,
  ratio: during / without,
  goal: '≥ 0.9',
});

report(rows);
await dispatcher.close();
await ops.close();
await platform.close();
await stack.close();
await receivers.close();
process.exit(0);
