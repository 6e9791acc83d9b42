import type { QueueName } from '@constancia/contracts';
import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type HintJob, Processor, QueueModule, type Queues, WorkerHost } from './index.ts';

export type Process<N extends QueueName> = (message: HintJob<N>['data'], signal: AbortSignal) => Promise<void>;

/** A processor class of a queue that does this with each message. */
export function processorOf<N extends QueueName>(queue: N, concurrency: number, work: Process<N>): Type<WorkerHost> {
  @Processor(queue, { concurrency })
  class TestProcessor extends WorkerHost {
    override process({ data }: HintJob<N>, _token?: string, signal?: AbortSignal): Promise<void> {
      return work(data, signal as AbortSignal);
    }
  }
  return TestProcessor;
}

/** An app that consumes by these processors, as the apps do. */
export async function processing(queues: Queues, ...processors: Type<WorkerHost>[]): Promise<INestApplicationContext> {
  @Module({ imports: [QueueModule.forRootAsync({ useFactory: () => queues })], providers: processors })
  class TestModule {}
  return NestFactory.createApplicationContext(TestModule, { logger: false, abortOnError: false });
}

/** The two processors of the dispatcher, of which replays do nothing. */
export const dispatcherProcessors = (concurrency: number, work: Process<'webhook-delivery'>) => [
  processorOf('webhook-delivery', concurrency, work),
  processorOf('webhook-replay', 1, async () => undefined),
];
