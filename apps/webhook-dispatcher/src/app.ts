import { dnsResolve, type Resolve } from '@constancia/events';
import { closeAll, PeriodicTask, SecretBox } from '@constancia/kernel';
import { mailAge, Mailer } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { queuesOf } from '@constancia/queue';
import { type Logger, Metrics, type RunningWorker } from '@constancia/telemetry';
import { Attempts } from './attempt.ts';
import type { DispatcherConfig } from './config.ts';
import { Deliveries } from './deliveries.ts';
import { NOTICES_EVERY_MS, oldestNoticeSeconds, sendDisabledNotices, type NoticeMailer } from './disabled-notices.ts';
import { Lanes } from './lanes.ts';
import { MAINTENANCE_EVERY_MS, maintain } from './maintenance.ts';
import { DispatcherMetrics } from './metrics.ts';
import { Poster } from './post.ts';
import { REPLAYS_EVERY_MS, replaySlices } from './replays.ts';
import { SWEEP_EVERY_MS, sweep } from './sweep.ts';
import { EndpointHealth } from './endpoint-health.ts';

const HINTS_AT_ONCE = 64;
const LAG_EVERY_MS = 15_000;

/** What tests put in the place of the world. */
export interface DispatcherSurroundings {
  resolve?: Resolve;
  mailer?: NoticeMailer;
  timeoutMs?: number;
  random?: () => number;
}

/** Starts the delivery loop: hints wake lanes, the sweep wakes what no hint did, and the rest is periodic. */
export async function startDispatcher(
  config: DispatcherConfig,
  logger: Logger,
  surroundings: DispatcherSurroundings = {},
): Promise<RunningWorker> {
  const database = await Database.connect({
    url: config.databaseUrl,
    applicationName: 'webhook-dispatcher',
    poolSize: config.databasePoolSize,
  });
  const metrics = new Metrics({ app: 'webhook-dispatcher', runtime: true });
  const dispatcherMetrics = new DispatcherMetrics(metrics);
  const policy = { allowLoopback: config.webhookAllowLoopback, ports: config.webhookPorts.map(Number) };
  const poster = new Poster(policy, surroundings.resolve ?? dnsResolve(), surroundings.timeoutMs);
  const ownMailer = mailerOf(config);
  const mailer = surroundings.mailer ?? ownMailer;
  mailAge(metrics, 'disabled_endpoint', () => oldestNoticeSeconds(database));
  const deliveries = new Deliveries(database);
  const attempts = new Attempts(poster, SecretBox.ofSecret(config));
  const random = surroundings.random ?? Math.random;
  const lanes = new Lanes({
    deliveries,
    attempts,
    temper: new EndpointHealth(),
    metrics: dispatcherMetrics,
    logger,
    random,
  });
  const queues = queuesOf('webhook-dispatcher', config, { logger, metrics });
  const replays = () => replaySlices(database, lanes, config.replayRate);

  queues.consume('webhook-delivery', async (hint) => lanes.wake(hint.endpoint_id), { concurrency: HINTS_AT_ONCE });
  queues.consume('webhook-replay', replays, { concurrency: 1 });
  const repeated = (name: string, everyMs: number, run: () => Promise<void>) =>
    new PeriodicTask({ name, everyMs, run, logger, easesOff: true });
  const tasks = [
    repeated('sweep', SWEEP_EVERY_MS, () => sweep(deliveries, lanes)),
    repeated('replays', REPLAYS_EVERY_MS, replays),
    repeated('notices', NOTICES_EVERY_MS, () =>
      sendDisabledNotices(database, mailer, { logger, keptDays: config.retentionDays }),
    ),
    repeated('lag', LAG_EVERY_MS, async () => dispatcherMetrics.lag(await deliveries.lag())),
    repeated('maintenance', MAINTENANCE_EVERY_MS, () => maintain(database, config.retentionDays)),
  ];
  for (const task of tasks) {
    task.start();
    task.wake();
  }
  return {
    metrics,
    // The queue is no part of it: without it the sweep does the work.
    readiness: { postgres: () => database.ping() },
    close() {
      const inWork = [queues.close({ drainMs: config.drainSeconds * 1_000 }), lanes.close()];
      inWork.push(...tasks.map((task) => task.close())); // all end at the same time: nothing new begins
      for (const ending of inWork) ending.catch(() => undefined); // closeAll throws it, once those before it have ended
      return closeAll([
        ...inWork.map((ending) => () => ending),
        () => poster.close(),
        () => ownMailer?.close(),
        () => database.close(),
      ]);
    },
  };
}

function mailerOf(config: DispatcherConfig): Mailer | null {
  if (config.smtpUrl === undefined) return null;
  return new Mailer({ smtpUrl: config.smtpUrl, from: config.mailFrom as string });
}
