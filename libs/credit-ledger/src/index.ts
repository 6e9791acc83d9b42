export { ChargedWork } from './charged-work.ts';
export type { Debit, FunctionCall, TableRows, WorkUnit } from './charged-work.ts';
export { allowCommit, commitListTables, commitWorkFunction } from './commit-work.ts';
export type { CommitList } from './commit-work.ts';
export { CreditLedger, LedgerReader } from './credit-ledger.ts';
export type { CreditEntry, Posted } from './credit-ledger.ts';
export { debitsCounter } from './debits-metric.ts';
export { LedgerModule } from './ledger.module.ts';
export { chargedWorkSchema } from './schema.ts';
