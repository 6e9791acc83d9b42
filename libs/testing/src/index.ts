export { AppProcess } from './app-process.ts';
export { bundled } from './bundled.ts';
export { type Cluster, freePort, prepareDatabase, startCluster, TEMPLATE_DATABASE, TEST_PASSWORD } from './cluster.ts';
export { eventually } from './eventually.ts';
export { redisInstalled, startRedis, type TestRedis } from './redis.ts';
export { APPS, type AppName, type StackOptions, startStack, type TestStack } from './stack.ts';
export { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, testTenant, type TestTenant } from './tenants.ts';
export { testDatabase, type TestDatabase } from './test-database.ts';
export { type ReceivedDelivery, type SinkAnswer, webhookSink, type WebhookSink } from './webhook-sink.ts';
