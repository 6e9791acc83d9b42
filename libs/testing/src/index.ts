export { AppProcess } from './app-process.ts';
export { bundled } from './bundled.ts';
export {
  type Cluster,
  type Standby,
  freePort,
  prepareDatabase,
  startCluster,
  TEMPLATE_DATABASE,
  TEST_PASSWORD,
} from './cluster.ts';
export { ContractChecker, ContractViolation, type SeenResponse } from './contract.ts';
export { ContractDocument, DOCUMENTED } from './contract-document.ts';
export { reportUnusedOperations } from './contract-usage.ts';
export { type CheckedFetch, checkedFetch } from './contract-wrappers.ts';
export { containsNumber } from './contains-number.ts';
export { eventually } from './eventually.ts';
export { heldAnswers } from './held-answers.ts';
export { NO_POOLER, type Pooler, poolerInstalled, startPooler } from './pooler.ts';
export { NO_REDIS, redisInstalled, startRedis, type TestRedis } from './redis.ts';
export { type ClusterNode, slotOfQueue, startRedisCluster, type TestRedisCluster } from './redis-cluster.ts';
export {
  APPS,
  type AppName,
  type ProcessOptions,
  type StackOptions,
  startStack,
  type TestStack,
  textSenders,
} from './stack.ts';
export { tenantBlindProxy, type TenantBlindProxy } from './tenant-blind-proxy.ts';
export {
  productionVariables,
  TEST_QUEUE_SEALING_KEY,
  TEST_SECRETS_KEY,
  testBrand,
  testTemplate,
  testTenant,
  type TestTenant,
  testMember,
  type TestMember,
} from './tenants.ts';
export { entityTables, storedTables } from './schema-tables.ts';
export { cutTransaction, type Moment } from './cut-transaction.ts';
export { testDatabase, type TestDatabase } from './test-database.ts';
export { type ReceivedDelivery, type SinkBehaviour, webhookSink, type WebhookSink } from './webhook-sink.ts';
export { wipePostgresQueues, wipeRedisQueues } from './wipe-queues.ts';
