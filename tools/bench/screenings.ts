/**
 * Screenings at 150 a second, end to end: a bundled compliance process on durable Postgres, with all lists of ../shared/lists (the
 * sandbox's without them). Requests are sent at their times, whether earlier ones were answered or not, and waiting counts. One in
 * twenty is of a listed name, and opens a case. The other side is the same requests as dry runs.
 */
import { Pool } from 'undici';
import { benchDeployment } from './bench-deployment.ts';
import { cpuSecondsOf } from './cpu-time.ts';
import { atRate, median, percentile, report } from './measure.ts';
import { importPublished, subjectBody } from './screened-subjects.ts';

const RATE = 150;
/** Of each round and side: 1,200 requests. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = 3;

const deployment = await benchDeployment(['platform', 'compliance'], { durable: true });
const { stack } = deployment;
const http = new Pool(stack.complianceUrl, { connections: 64 });

const call = (method: 'GET' | 'POST', path: string, body?: object) => deployment.call(http, method, path, body);

let sent = 0;
const nextBody = (): object => subjectBody(sent++);

interface Latencies {
  /** Milliseconds of the app's processor time, for each request. */
  cpu: number;
  p50: number;
  p99: number;
  max: number;
}

async function measured(route: string, expected: number, seconds: number): Promise<Latencies> {
  const { pid } = stack.app('compliance');
  const before = cpuSecondsOf(pid);
  const times = await atRate(RATE, RATE * seconds, async () => {
    const { status, body } = await call('POST', route, nextBody());
    if (status !== expected) throw new Error(`${route} answered ${status}: ${JSON.stringify(body)}`);
  });
  const cpu = ((cpuSecondsOf(pid) - before) * 1_000) / times.length;
  return { cpu, p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: percentile(times, 1) };
}

try {
  const entries = await importPublished(deployment, http);
  const { body: draft } = await call('POST', '/v1/validations', {});
  const { id } = draft as { id: string };
  await call('POST', '/v1/rules/seed-defaults', { validation_id: id, subject_type: 'both' });
  await call('POST', `/v1/validations/${id}/publish`);
  await measured('/v1/screenings', 201, 4);
  await measured('/v1/screenings/dry-run', 200, 2);
  const [made, tried]: [Latencies[], Latencies[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    made.push(await measured('/v1/screenings', 201, SECONDS));
    tried.push(await measured('/v1/screenings/dry-run', 200, SECONDS));
  }
  const of = (all: Latencies[], figure: keyof Latencies) => median(all.map((each) => each[figure]));
  const shown = (all: Latencies[]) =>
    `p50 ${of(all, 'p50').toFixed(1)} ms, p99 ${of(all, 'p99').toFixed(1)} ms, max ${of(all, 'max').toFixed(0)} ms; ${of(all, 'cpu').toFixed(1)} ms of processor each`;
  const lists = `${entries.toLocaleString('en')} entries`;
  report([
    {
      name: `POST /v1/screenings, ${RATE}/s, ${lists}`,
      ours: shown(made),
      other: '–',
      ratio: null,
      goal: 'p99 ≤ 40 ms',
    },
    { name: `Dry run, ${RATE}/s, ${lists}`, ours: shown(tried), other: '–', ratio: null, goal: 'p99 ≤ 10 ms' },
  ]);
  console.error(
    `rounds, p99: ${made.map(({ p99 }) => p99.toFixed(1)).join(', ')}; dry ${tried.map(({ p99 }) => p99.toFixed(1)).join(', ')}`,
  );
} finally {
  await http.close();
  await stack.close();
}
process.exit(0);
