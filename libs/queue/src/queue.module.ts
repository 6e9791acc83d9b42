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
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import type { ConnectionOptions } from 'bullmq';
import { QueueWorker } from './queue-worker.ts';
import { queuesOf } from './queues-of.ts';
import { Queues } from './queues.ts';

type QueuesConfig = Pick<StoresConfig, 'redisUrl' | 'queueDatabaseUrl' | 'queueSealingKey'>;
type WorkerConfig = QueuesConfig & Pick<StoresConfig, 'drainSeconds'>;

/**
 * Consumes when everything is initialized, and takes no more jobs as soon as the app closes. Running jobs end before any connection of
 * the app closes, and their hints are sent after them.
 */
@Injectable()
export class QueueLifecycle
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(private readonly queues: Queues) {}

  onApplicationBootstrap(): void {
    this.queues.start();
  }

  onModuleDestroy(): void {
    void this.queues.drain();
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
  /** Of an API: jobs get 25 s at the end of the process. Its DRAIN_SECONDS is how long it goes on serving before that. */
  static forRoot(config: Type<QueuesConfig>, app: string): DynamicModule {
    return this.forRootAsync({
      inject: [config, Logger, Metrics],
      useFactory: (settings: QueuesConfig, logger: Logger, metrics: Metrics) =>
        queuesOf(app, settings, { logger, metrics }),
    });
  }

  /** Of a worker: jobs get DRAIN_SECONDS at the end of the process. */
  static forWorker(config: Type<WorkerConfig>, app: string): DynamicModule {
    return this.forRootAsync({
      inject: [config, Logger, Metrics],
      useFactory: (settings: WorkerConfig, logger: Logger, metrics: Metrics) =>
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
