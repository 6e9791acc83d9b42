/**
 * Webhook deliveries per second, signed and durably recorded, against a raw undici POST loop that signs too, to the same
 * receivers with as many requests in flight; and how much of their rate 50 healthy endpoints keep while a dead one has 2,000
 * events waiting.
 */
import { generateWebhookSecret } from '@constancia/auth';
import { endpointIdOf, signDelivery } from '@constancia/events';
import { sleep, uuidv7 } from '@constancia/kernel';
import { Agent, request } from 'undici';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { DispatcherStack, signatureEvent } from './dispatcher-stack.ts';
import { type BenchRow, compare, report } from './measure.ts';
import { Receivers } from './receivers.ts';

const ENDPOINTS = 50;
const EVENTS = 12_000;
const DEAD_EVENTS = 2_000;
/** Per endpoint, as the dispatcher has it. */
const IN_FLIGHT = 8;
const ROUNDS = 7;
/** Out of line, until they are let go together. */
const WAITING = "next_attempt_at = 'infinity'";

const receivers = await Receivers.start(ENDPOINTS);
const stack = await DispatcherStack.start([PLATFORM]);

const endpointsOf = (tenants: string[]): string[] => tenants.map((tenant) => endpointIdOf(tenant, 'seal'));

const openOf = async (tenants: string[]): Promise<number> => {
  const [row] = await stack.store.query<{ open: number }>(
    'select count(*)::int as open from platform.delivery where next_attempt_at is not null and endpoint_id = any ($1)',
    [endpointsOf(tenants)],
  );
  return (row as { open: number }).open;
};

/** Lets what waits go and waits until all of it is delivered; answers deliveries per second. */
async function deliveredPerSecond(tenants: string[]): Promise<number> {
  await stack.emit(tenants, EVENTS, WAITING);
  await stack.store.query('vacuum analyze platform.delivery');
  await stack.store.query(
    `update platform.delivery set next_attempt_at = now() where ${WAITING} and endpoint_id = any ($1)`,
    [endpointsOf(tenants)],
  );
  stack.hint(tenants);
  const started = performance.now();
  const target = receivers.answered('/live') + EVENTS;
  while (receivers.answered('/live') < target) await sleep(5);
  while ((await openOf(tenants)) > 0) await sleep(5);
  return EVENTS / ((performance.now() - started) / 1_000);
}

async function rawPerSecond(): Promise<number> {
  const agent = new Agent({ pipelining: 1 });
  const { body } = signatureEvent();
  const secret = generateWebhookSecret();
  const signing = { secret, eventId: uuidv7(), timestampSeconds: Math.floor(Date.now() / 1_000) };
  let left = EVENTS;
  const started = performance.now();
  const loop = async (_: unknown, nth: number) => {
    const url = `${receivers.origins[nth % ENDPOINTS]}/live`;
    while (left-- > 0) {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signDelivery(body, signing) },
        body,
        dispatcher: agent,
      });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: ENDPOINTS * IN_FLIGHT }, loop));
  const rate = EVENTS / ((performance.now() - started) / 1_000);
  await agent.close();
  return rate;
}

const healthy: string[] = [];
for (const origin of receivers.origins) healthy.push(await stack.tenant(`${origin}/live`));

async function withDispatcher<T>(work: () => Promise<T>): Promise<T> {
  const dispatcher = await stack.dispatcher();
  try {
    return await work();
  } finally {
    await dispatcher.close();
  }
}

const rows: BenchRow[] = [];
await withDispatcher(async () => {
  await deliveredPerSecond(healthy); // warms up
  const raw = await compare(ROUNDS, () => deliveredPerSecond(healthy), rawPerSecond);
  rows.push({
    name: `Webhook deliveries, ${ENDPOINTS} endpoints, both signatures, recorded in Postgres`,
    ours: `${Math.round(raw.ours)}/s`,
    other: `raw undici POST loop, signing too, as many in flight: ${Math.round(raw.other)}/s`,
    ratio: raw.ratio,
    goal: '≥ 0.85',
  });
});

await withDispatcher(async () => {
  await deliveredPerSecond(healthy);
  const isolated = await compare(
    ROUNDS,
    () => besideWaiting('now()'),
    () => besideWaiting("'infinity'"),
  );
  rows.push({
    name: `${ENDPOINTS} healthy endpoints beside a dead one with ${DEAD_EVENTS} events waiting`,
    ours: `${Math.round(isolated.ours)}/s`,
    other: `without it ${Math.round(isolated.other)}/s`,
    ratio: isolated.ratio,
    goal: '≥ 0.9',
  });
});

/** Both sides store the same 2,000 events beside the healthy ones' work; on one side their receiver is there and never answers. */
async function besideWaiting(due: 'now()' | "'infinity'"): Promise<number> {
  const dead = await stack.tenant(`${receivers.origins[0]}/dead`);
  await stack.emit([dead], DEAD_EVENTS, WAITING);
  await stack.store.query(
    `update platform.delivery set next_attempt_at = ${due} where endpoint_id = $1`,
    endpointsOf([dead]),
  );
  await sleep(500);
  const rate = await deliveredPerSecond(healthy);
  await stack.store.query('delete from platform.delivery where endpoint_id = $1', endpointsOf([dead]));
  return rate;
}

report(rows);
await stack.close();
await receivers.close();
process.exit(0);
