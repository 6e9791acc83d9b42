import { Queues, queuesOf } from '@constancia/queue';
import { Logger, Metrics } from '@constancia/telemetry';
import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SigningConfig } from './config.ts';

/** The queues of this process. */
@Global()
@Module({
  providers: [
    {
      provide: Queues,
      inject: [SigningConfig, Logger, Metrics],
      useFactory: (config: SigningConfig, logger: Logger, metrics: Metrics) =>
        queuesOf('signing', config, { logger, metrics }),
    },
  ],
  exports: [Queues],
})
export class QueuesModule implements OnApplicationShutdown {
  constructor(private readonly queues: Queues) {}

  onApplicationShutdown(): Promise<void> {
    return this.queues.close();
  }
}
