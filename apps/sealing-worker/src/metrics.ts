import type { Metrics } from '@constancia/telemetry';
import type { SetbackCause } from './setback.ts';

/** What a run of one request came to. `lost`: another worker had taken it over. */
export type RunResult = 'signed' | 'failed' | 'refunded' | 'deferred' | 'lost';
/** `sign` comes twice for each document: inside it and beside it. */
export type Stage = 'template' | 'draw' | 'sign' | 'timestamp' | 'store' | 'complete';

/** What the sealing worker tells its operators. */
export class SealingMetrics {
  private readonly latency;
  private readonly seals;
  private readonly stages;
  private readonly waits;

  constructor(metrics: Metrics, backlog: () => Promise<{ waiting: number; oldestSeconds: number }>) {
    this.latency = metrics.histogram('seal_latency_seconds', 'From the acceptance of a request to its signature');
    this.seals = metrics.counter('seals_total', 'Runs over requests, by what they came to', ['result']);
    this.waits = metrics.counter('seals_deferred_total', 'Runs that were put off, by what they wait for', ['cause']);
    this.stages = metrics.histogram('seal_stage_seconds', 'Where the time of a seal goes', ['stage']);
    const oldest = metrics.gauge('sealing_oldest_seconds', 'Age of the oldest request that is pending');
    metrics.gauge('sealing_backlog', 'Requests that are pending', [], async (gauge) => {
      const { waiting, oldestSeconds } = await backlog();
      gauge.set(waiting);
      oldest.set(oldestSeconds);
    });
  }

  ended(result: RunResult): void {
    this.seals.inc({ result });
  }

  deferred(cause: SetbackCause): void {
    this.waits.inc({ cause });
  }

  signed(createdAt: Date, signedAt: Date): void {
    this.latency.observe(Math.max(0, signedAt.getTime() - createdAt.getTime()) / 1_000);
  }

  /** Runs one stage of a seal and notes the time it took. */
  async stage<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const end = this.stages.startTimer({ stage });
    try {
      return await work();
    } finally {
      end();
    }
  }
}
