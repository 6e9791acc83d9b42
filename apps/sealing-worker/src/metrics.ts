import { type Metrics, withSpan } from '@constancia/telemetry';
import type { SealingKind, SealingSource } from './sealing-work.ts';
import type { FailureCause } from './failure-decision.ts';

/** The result of a run over one document. `lost`: another worker had taken it over. */
export type RunResult = 'signed' | 'failed' | 'refunded' | 'deferred' | 'lost';
/** `sign` comes twice for each document: inside it and detached. */
export type Stage = 'template' | 'draw' | 'sign' | 'timestamp' | 'store' | 'complete';

/** The metrics of the sealing worker. */
export class SealingMetrics {
  private readonly latency;
  private readonly seals;
  private readonly stages;
  private readonly waits;

  constructor(metrics: Metrics, sources: readonly Pick<SealingSource, 'kind' | 'backlog'>[]) {
    const of = ['kind'] as const;
    this.latency = metrics.histogram(
      'seal_latency_seconds',
      'From the acceptance of a request, or the last signature, to the seal',
      of,
    );
    this.seals = metrics.counter('seals_total', 'Runs over documents, by result', [...of, 'result']);
    this.waits = metrics.counter('seals_deferred_total', 'Runs that were put off, by what they wait for', [
      ...of,
      'cause',
    ]);
    this.stages = metrics.histogram('seal_stage_seconds', 'Where the time of a seal goes', ['stage']);
    const oldest = metrics.gauge('sealing_oldest_seconds', 'Age of the oldest document that is pending', of);
    metrics.gauge('sealing_backlog', 'Documents that are pending', of, async (gauge) => {
      for (const source of sources) {
        const { waiting, oldestSeconds } = await source.backlog();
        gauge.set({ kind: source.kind }, waiting);
        oldest.set({ kind: source.kind }, oldestSeconds);
      }
    });
  }

  ended(kind: SealingKind, result: RunResult): void {
    this.seals.inc({ kind, result });
  }

  deferred(kind: SealingKind, cause: FailureCause): void {
    this.waits.inc({ kind, cause });
  }

  signed(kind: SealingKind, since: Date, signedAt: Date): void {
    this.latency.observe({ kind }, Math.max(0, signedAt.getTime() - since.getTime()) / 1_000);
  }

  /** Runs one stage of a seal and notes the time it took. */
  async stage<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const end = this.stages.startTimer({ stage });
    try {
      return await withSpan(`seal ${stage}`, {}, work);
    } finally {
      end();
    }
  }
}
