import { SecretBox } from '@constancia/kernel';
import { Queues } from './index.ts';
import { processing, processorsOf, type WorkByQueue } from './processing.fixture.ts';

/** TEST_QUEUE_SEALING_KEY of libs/testing, with which the apps of a test seal. */
const sealingKey = new SecretBox([Buffer.alloc(32, 9)]);
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The queues of an app that is not under test: it sends hints, and does this with those that it gets. */
export async function queuesOfApp(
  store: { queueUrl: string },
  app: string,
  work: (queues: Queues) => WorkByQueue,
): Promise<Queues> {
  const queues = new Queues({ app, databaseUrl: store.queueUrl, sealingKey, logger });
  await processing(queues, ...processorsOf(app, work(queues)));
  return queues;
}
