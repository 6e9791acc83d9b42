import type { StoresConfig } from '@constancia/config';
import { SecretBox } from '@constancia/kernel';
import type { Metrics } from '@constancia/telemetry';
import type { QueueLogger } from './queue-logger.ts';
import { Queues } from './queues.ts';

/** The queues of a process, as it is configured; hints that get lost are counted in `queue_hints_lost_total`;
 * how far a consumed queue is behind is `queue_lag_seconds`. */
export function queuesOf(
  app: string,
  config: Pick<StoresConfig, 'redisUrl' | 'queueDatabaseUrl' | 'queueSealingKey'>,
  { logger, metrics, drainMs }: { logger: QueueLogger; metrics: Metrics; drainMs?: number },
): Queues {
  const lost = metrics.counter('queue_hints_lost_total', 'Hints that could not be sent; sweeps find their work', [
    'queue',
  ]);
  const queues = new Queues({
    app,
    redisUrl: config.redisUrl,
    databaseUrl: config.queueDatabaseUrl,
    sealingKey: SecretBox.fromText(config.queueSealingKey),
    logger,
    drainMs,
    onHintLost: (queue, count) => lost.inc({ queue }, count),
  });
  const help = 'How long the job has waited whose turn it has been for longest; nothing while the store is unavailable';
  metrics.gauge('queue_lag_seconds', help, ['queue'], async (gauge) => {
    try {
      for (const queue of queues.consumed) gauge.set({ queue }, await queues.oldestWaitingSeconds(queue));
    } catch {
      gauge.reset(); // lost hints are counted for that store
    }
  });
  return queues;
}
