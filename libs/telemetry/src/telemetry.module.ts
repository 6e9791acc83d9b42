import type { ProcessConfig } from '@constancia/config';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { createLogger, Logger } from './logger.ts';
import { Metrics } from './metrics.ts';

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
    return { module: TelemetryModule, global: true, providers, exports: providers };
  }
}
