/**
 * What tracing costs: the same bundled platform and compliance processes, once without and once with an OTLP collector on loopback
 * (that takes and forgets, in a process of its own), in turns. Requests are sent at their times, so that both sides do the same work:
 * CPU of the process per request (of all its threads, the SDK's export included), and how long an answer takes.
 */
import { spawn } from 'node:child_process';
import { sleep } from '@constancia/kernel';
import { type AppProcess, freePort } from '@constancia/testing';
import { Pool } from 'undici';
import { benchDeployment } from './bench-deployment.ts';
import { cpuSecondsOf } from './cpu-time.ts';
import { atRate, median, percentile, report } from './measure.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 600);
const PER_SECOND = 150;
/** Milliseconds until the last batch of spans is sent, too: it is part of the cost. */
const LAST_BATCH = 1_500;

const collectorPort = await freePort();
const collector = spawn(process.execPath, [
  '-e',
  `require('node:http').createServer((q, s) => q.resume().on('end', () => s.end('{}'))).listen(${collectorPort}, '127.0.0.1')`,
]);
const { stack, call } = await benchDeployment(['platform', 'compliance'], { durable: true });

interface Side {
  app: AppProcess;
  http: Pool;
}

const sideOf = (app: AppProcess): Side => ({
  app,
  http: new Pool(`http://127.0.0.1:${app.env.PORT}`, { connections: 16 }),
});

async function tracedSide(name: 'platform' | 'compliance'): Promise<Side> {
  const app = await stack.another(name, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` },
  });
  await app.start();
  return sideOf(app);
}

async function done<Body>(http: Pool, method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
  const answer = await call<Body>(http, method, path, body);
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

interface Route {
  name: string;
  app: 'platform' | 'compliance';
  send(http: Pool): Promise<unknown>;
}

let screened = 0;
const ROUTES: Route[] = [
  {
    name: 'GET /v1/billing/balance',
    app: 'platform',
    send: (http) => done(http, 'GET', '/v1/billing/balance'),
  },
  {
    name: 'POST /v1/screenings',
    app: 'compliance',
    send: (http) =>
      done(http, 'POST', '/v1/screenings', {
        subject_ref: `customer-${screened++}`,
        subject_type: 'natural',
        payload: {
          full_name: `Persona Número ${screened}`,
          document_type: 'CC',
          document_number: '71938264',
          country_code: 'CO',
        },
      }),
  },
];

interface Measured {
  /** Microseconds of a request. */
  cpu: number;
  p50: number;
  p99: number;
}

async function measured({ app, http }: Side, route: Route): Promise<Measured> {
  const before = cpuSecondsOf(app.pid);
  const times = await atRate(PER_SECOND, REQUESTS, () => route.send(http));
  await sleep(LAST_BATCH);
  const cpu = ((cpuSecondsOf(app.pid) - before) * 1e6) / REQUESTS;
  return { cpu, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function summaryOf(rounds: Measured[]): string {
  const middle = (of: (each: Measured) => number) => median(rounds.map(of));
  const [cpu, p50, p99] = [middle(({ cpu }) => cpu), middle(({ p50 }) => p50), middle(({ p99 }) => p99)];
  return `${Math.round(cpu)} µs CPU, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

async function publishDefault(http: Pool): Promise<void> {
  const { id } = await done<{ id: string }>(http, 'POST', '/v1/validations', { code: 'default', name: 'Bench' });
  await done(http, 'POST', '/v1/rules/seed-defaults', { validation_id: id, subject_type: 'both' });
  await done(http, 'POST', `/v1/validations/${id}/publish`);
}

const rows = [];
try {
  for (const route of ROUTES) {
    const [off, on] = [sideOf(stack.app(route.app)), await tracedSide(route.app)];
    if (route.app === 'compliance') await publishDefault(off.http);
    for (const side of [off, on]) await measured(side, route); // warm
    const [without, withIt]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const turns = round % 2 === 0 ? [off, on] : [on, off];
      for (const side of turns) (side === off ? without : withIt).push(await measured(side, route));
    }
    rows.push({
      name: `${route.name}, ${PER_SECOND} a second: traced against not traced (ratio of CPU)`,
      ours: summaryOf(withIt),
      other: summaryOf(without),
      ratio: median(withIt.map(({ cpu }, round) => cpu / (without[round] as Measured).cpu)),
      goal: '≤ 1.10',
    });
    await on.app.end('SIGTERM');
    await Promise.all([off.http.close(), on.http.close()]);
  }
  report(rows);
} finally {
  collector.kill();
  await stack.close();
}
process.exit(0);
