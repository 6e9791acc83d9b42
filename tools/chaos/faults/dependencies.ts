import { sleep } from '@constancia/kernel';
import { libfaketime } from '../fake-clock.ts';
import { FAILINGS } from '../receivers.ts';
import type { Stage } from '../stage.ts';
import type { Fault } from './fault.ts';

type Wire = 'postgres' | 'redis' | 'kms' | 'payments';

/** Weather on one wire for a while. */
async function during(
  stage: Stage,
  wire: Wire,
  weather: 'cut' | 'mute' | { delayMs: number },
  ms: number,
): Promise<void> {
  stage.wires[wire]?.set(weather);
  await sleep(ms);
  stage.wires[wire]?.heal();
}

/** What time an app says that it is. */
async function clockOf({ stack }: Stage): Promise<string> {
  return (await fetch(`${stack.signingUrl}/livez`)).headers.get('date') ?? '';
}

const LIMIT = { countsFrom: 'heal', limitSeconds: 60 } as const;

const KMS: readonly Fault[] = [
  ...(['5xx', 'throttle'] as const).map((mode): Fault => ({
    name: `kms-${mode}`,
    what: `KMS answers every call with ${mode === '5xx' ? 'an internal error' : 'ThrottlingException'} for 4 to 7 s`,
    ...LIMIT,
    async strike({ stack }, random) {
      stack.kms.setMode(mode);
      await sleep(random.between(4_000, 7_000));
      stack.kms.setMode('ok');
    },
  })),
  {
    name: 'kms-slow',
    what: 'every answer of KMS 1 to 3 s late, for 6 s',
    ...LIMIT,
    strike: (stage, random) => during(stage, 'kms', { delayMs: random.between(500, 1_500) }, 6_000),
  },
];

const RECEIVERS = FAILINGS.map((how): Fault => ({
  name: `receiver-${how.replace(' ', '-')}`,
  what: `the receivers of one tenant fail for 5 to 8 s (${how}); the other tenant's do not`,
  ...LIMIT,
  async strike({ moody }, random) {
    moody.receiver.fail(how);
    await sleep(random.between(5_000, 8_000));
    moody.receiver.heal();
  },
}));

const NETWORK: readonly Fault[] = [
  {
    name: 'postgres-cut',
    what: 'the network to Postgres cut for 2 to 4 s: connections reset and refused',
    ...LIMIT,
    strike: (stage, random) => during(stage, 'postgres', 'cut', random.between(2_000, 4_000)),
  },
  {
    name: 'postgres-mute',
    what: 'the network to Postgres swallows everything for 4 to 6 s, then resets',
    ...LIMIT,
    strike: (stage, random) => during(stage, 'postgres', 'mute', random.between(4_000, 6_000)),
  },
  {
    name: 'postgres-slow',
    what: 'everything to and from Postgres 20 to 60 ms late for 6 s',
    ...LIMIT,
    strike: (stage, random) => during(stage, 'postgres', { delayMs: random.between(20, 60) }, 6_000),
  },
  {
    name: 'payments-cut',
    what: 'the network to the payment provider cut for 3 to 5 s; its callbacks still arrive',
    ...LIMIT,
    strike: (stage, random) => during(stage, 'payments', 'cut', random.between(3_000, 5_000)),
  },
  {
    name: 'redis-cut',
    what: 'the network to Redis cut for 3 to 5 s',
    only: 'redis',
    ...LIMIT,
    strike: (stage, random) => during(stage, 'redis', 'cut', random.between(3_000, 5_000)),
  },
];

export const DEPENDENCIES: readonly Fault[] = [
  ...KMS,
  ...RECEIVERS,
  ...NETWORK,
  {
    name: 'overload',
    what: 'ten times the usual load for 4 s',
    ...LIMIT,
    async strike(_stage, _random, boost) {
      boost(9);
      await sleep(4_000);
      boost(0);
    },
  },
  {
    name: 'clock-jump',
    what: "the apps' clock an hour ahead for 3 s, then two minutes behind for 3 s, then right",
    fakeClock: true,
    impossible: () => (libfaketime ? undefined : 'libfaketime is not installed'),
    ...LIMIT,
    async strike(stage) {
      for (const seconds of [3_600, -120]) {
        stage.clock?.jump(seconds);
        await sleep(3_000);
        const off = Date.parse(await clockOf(stage)) - Date.now();
        if (Math.abs(off - seconds * 1_000) > 5_000) throw new Error(`the clock is ${off} ms off, not ${seconds} s`);
      }
      stage.clock?.jump(0);
    },
  },
];
