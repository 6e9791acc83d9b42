import 'reflect-metadata';
import { SecretBox } from '@constancia/kernel';
import { Queues } from './index.ts';
import { dispatcherProcessors, processing } from './processing.fixture.ts';

/** A consumer that takes a hint and never ends it: the tests kill it. Store: REDIS_URL or QUEUE_DATABASE_URL. */
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const queues = new Queues({
  app: 'webhook-dispatcher',
  redisUrl: process.env['REDIS_URL'],
  databaseUrl: process.env['QUEUE_DATABASE_URL'],
  sealingKey: new SecretBox([Buffer.alloc(32, 1)]),
  logger: silent,
});
const stuck = dispatcherProcessors(1, async ({ endpoint_id }) => {
  console.log(endpoint_id);
  await new Promise(() => undefined);
});
await processing(queues, ...stuck);
