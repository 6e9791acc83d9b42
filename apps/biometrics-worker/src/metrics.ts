import type { StepOutcome } from '@constancia/contracts';
import { Metrics, withSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { StepRuns } from './step-runs.ts';

/** The result of a run here. `lost`: another worker had taken it over. */
export type RunResult = StepOutcome | 'lost';
export type Stage = 'open' | 'fetch' | 'document' | 'face' | 'finish';

/** The metrics of the biometrics worker. */
@Injectable()
export class BiometricsMetrics {
  private readonly runs;
  private readonly failures;
  private readonly stages;

  constructor(metrics: Metrics, runs: StepRuns) {
    this.runs = metrics.counter('step_runs_total', 'Steps that were worked on, by result', ['step', 'result']);
    this.failures = metrics.counter('step_failures_total', 'Attempts that failed through an internal fault, by why', [
      'reason',
    ]);
    this.stages = metrics.histogram('step_stage_seconds', 'Where the time of a step goes', ['stage']);
    const oldest = metrics.gauge('step_runs_oldest_seconds', 'Age of the oldest step that waits to be worked on');
    metrics.gauge('step_runs_backlog', 'Steps that wait to be worked on', [], async (gauge) => {
      const { waiting, oldestSeconds } = await runs.backlog();
      gauge.set(waiting);
      oldest.set(oldestSeconds);
    });
  }

  ended(step: string, result: RunResult): void {
    this.runs.inc({ step, result });
  }

  failed(reason: string): void {
    this.failures.inc({ reason });
  }

  /** Runs one stage of a step and notes the time it took. */
  async stage<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const end = this.stages.startTimer({ stage });
    try {
      return await withSpan(`step ${stage}`, {}, work);
    } finally {
      end();
    }
  }
}
