import { QUEUES, type QueueName } from '@constancia/contracts';
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

export type WorkByQueue = { [N in QueueName]?: Process<N> };

/** A processor of each queue of an app; those without work here do nothing. */
export function processorsOf(app: string, work: WorkByQueue, concurrency = 1): Type<WorkerHost>[] {
  const own = (Object.keys(QUEUES) as QueueName[]).filter((queue) => QUEUES[queue].consumer === app);
  return own.map((queue) => processorOf(queue, concurrency, (work[queue] as Process<QueueName>) ?? idle));
}
const idle = async (): Promise<void> => undefined;

/** The two processors of the dispatcher, of which replays do nothing. */
export const dispatcherProcessors = (concurrency: number, work: Process<'webhook-delivery'>) =>
  processorsOf('webhook-dispatcher', { 'webhook-delivery': work }, concurrency);
