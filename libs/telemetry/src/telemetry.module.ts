import type { ProcessConfig } from '@constancia/config';
import { observePeriodicRuns } from '@constancia/kernel';
import { type DynamicModule, Injectable, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { createLogger, Logger } from './logger.ts';
import { Metrics } from './metrics.ts';

const RUN_SECONDS = [0.01, 0.1, 1, 10, 60];

/** Measures the runs of the process's periodic tasks. */
@Injectable()
export class PeriodicRunMetrics implements OnApplicationShutdown {
  private readonly stop: () => void;

  constructor(metrics: Metrics) {
    const about = 'Runs of periodic tasks, by task and result';
    const runs = metrics.histogram('periodic_task_run_seconds', about, ['task', 'result'], RUN_SECONDS);
    this.stop = observePeriodicRuns(({ name, seconds, failed }) =>
      runs.observe({ task: name, result: failed ? 'failed' : 'ok' }, seconds),
    );
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}

/** Provides the logger and the metrics of the process, both with the name of the app. */
@Module({})
export class TelemetryModule {
  static forRoot(config: Type<Pick<ProcessConfig, 'logLevel'>>, app: string): DynamicModule {
    const providers = [
      {
        provide: Logger,
        inject: [config],
        useFactory: ({ logLevel }: ProcessConfig) => createLogger({ app, level: logLevel }),
      },
      { provide: Metrics, useFactory: () => new Metrics({ app, runtime: true }) },
    ];
    return { module: TelemetryModule, global: true, providers: [...providers, PeriodicRunMetrics], exports: providers };
  }
}
