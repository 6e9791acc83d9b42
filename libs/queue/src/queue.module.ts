import type { StoresConfig } from '@constancia/config';
import { Logger, Metrics } from '@constancia/telemetry';
import { BullModule } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  type FactoryProvider,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import type { ConnectionOptions } from 'bullmq';
import { QueueWorker } from './queue-worker.ts';
import { queuesOf } from './queues-of.ts';
import { Queues } from './queues.ts';

type QueuesConfig = Pick<StoresConfig, 'redisUrl' | 'queueDatabaseUrl' | 'queueSealingKey' | 'drainSeconds'>;

/**
 * Consumes when everything is initialized. Handlers drain before any connection of the app closes, so that they can end their
 * work, and the hints of that work are sent after it.
 */
@Injectable()
export class QueueLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(private readonly queues: Queues) {}

  onApplicationBootstrap(): void {
    this.queues.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.queues.drain();
  }

  onApplicationShutdown(): Promise<void> {
    return this.queues.close();
  }
}

/**
 * The queues of an app: `Queues` sends hints, and @Processor classes (@nestjs/bullmq) consume, one for each queue that QUEUES
 * declares for the app. Starting fails when one is missing, declared twice or declared for another app.
 */
@Module({})
export class QueueModule {
  static forRoot(config: Type<QueuesConfig>, app: string): DynamicModule {
    return this.forRootAsync({
      inject: [config, Logger, Metrics],
      useFactory: (settings: QueuesConfig, logger: Logger, metrics: Metrics) =>
        queuesOf(app, settings, { logger, metrics, drainMs: settings.drainSeconds * 1_000 }),
    });
  }

  static forRootAsync(queues: Pick<FactoryProvider<Queues>, 'inject' | 'useFactory'>): DynamicModule {
    BullModule.workerClass = QueueWorker.asWorkerClass();
    return {
      module: QueueModule,
      global: true,
      imports: [
        BullModule.forRootAsync({
          useFactory: (connection: Queues) => ({ connection: connection as unknown as ConnectionOptions }),
          inject: [Queues],
        }),
        BullModule.registerQueue(), // none: producers share one connection, which Queues opens
      ],
      providers: [{ provide: Queues, ...queues }, QueueLifecycle],
      exports: [Queues],
    };
  }
}
