import { IdempotencyKey } from '@constancia/idempotency';
import { CommitFunction } from './commit-function.entity.ts';
import { CommitTable } from './commit-table.entity.ts';
import { CreditAccount } from './credit-account.entity.ts';
import { CreditDailyTotal } from './credit-daily-total.entity.ts';
import { CreditEntry } from './credit-entry.entity.ts';
import { CreditHold } from './credit-hold.entity.ts';

/** The tables of chargedWorkSchema, in each schema that has work that is charged. */
export const CHARGED_WORK_TABLES = [IdempotencyKey, CommitTable, CommitFunction];

/** The tables of the ledger, which schema platform has. */
export const LEDGER_TABLES = [CreditAccount, CreditDailyTotal, CreditEntry, CreditHold];
