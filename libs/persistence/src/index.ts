export { bootstrap, SCHEMAS, urlFor } from './bootstrap.ts';
export { allowChainTypes, chainTypeTable, guardChain } from './chain-guard.ts';
export type { ChainTypes } from './chain-guard.ts';
export { ChainType } from './chain-type.entity.ts';
export { ChainedRow } from './chained-row.ts';
export { LossTolerantClient } from './client.ts';
export { Database } from './database.ts';
export { DatabaseUnavailableError, isUnavailable, isUniqueViolation, sqlState } from './errors.ts';
export {
  appendOnly,
  canonicalEvent,
  continuedChain,
  dropHashChain,
  eventHash,
  hashChain,
  sealedMembers,
  verifyChain,
} from './hash-chain.ts';
export type { ChainedEvent, ChainedTable, ChainHead, OwnedChain } from './hash-chain.ts';
export { LIMITS, STATEMENT_TIMEOUT_MS } from './limits.ts';
export { finishUpgrade, migrate } from './migrate.ts';
export { migrated } from './migrated.ts';
export { recordAct } from './operators-log.ts';
export { PersistenceModule } from './persistence.module.ts';
export { reseal } from './reseal.ts';
export type { SealedColumn } from './reseal.ts';
export { mayBeStale, MAX_STALENESS_SECONDS } from './stale-read.ts';
export type { FallbackReason, StaleRead } from './stale-read.ts';
export { metered } from './statement-meter.ts';
export type { MeteredUnit, StatementMeter } from './statement-meter.ts';
export { TABLES_WITH_ID_STATISTICS, withoutIdStatistics } from './id-statistics.ts';
export { appRole, ownerRole, ownersTable, tenantTable, walletTable } from './tenant-table.ts';
export type { ModuleSchema, RowOwner } from './tenant-table.ts';
export type { Tx } from './tx.ts';
