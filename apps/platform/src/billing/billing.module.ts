import { LedgerReader } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { Module } from '@nestjs/common';
import { ListPrices } from './prices/list-prices.ts';
import { StaleHolds } from './reap-stale-holds.ts';
import { ShowBalance } from './show-balance.ts';
import { ShowLedger } from './show-ledger.ts';
import { BillingSettings } from './settings/billing-settings.ts';
import { PutBillingSettings } from './settings/put-settings.ts';
import { ShowBillingSettings } from './settings/show-settings.ts';
import { ListStatementKeys } from './statements/list-statement-keys.ts';
import { StatementDocuments } from './statements/statement-documents.ts';
import { StatementSeal } from './statements/statement-seal.ts';
import { ShowStatement } from './statements/show-statement.ts';
import { Statements } from './statements/statements.ts';
import { ShowUsage } from './usage/show-usage.ts';
import { Usage } from './usage/usage.ts';
import { LedgerWatch } from './watch-ledger.ts';

/** Credits: what a tenant sees of them, and what keeps the ledger sound. */
@Module({
  controllers: [
    ShowBalance,
    ShowLedger,
    ListPrices,
    ShowUsage,
    ShowBillingSettings,
    PutBillingSettings,
    ShowStatement,
    ListStatementKeys,
  ],
  providers: [
    { provide: LedgerReader, inject: [Database], useFactory: (database: Database) => new LedgerReader(database) },
    StaleHolds,
    LedgerWatch,
    Usage,
    BillingSettings,
    Statements,
    StatementSeal,
    StatementDocuments,
  ],
  exports: [StatementSeal],
})
export class BillingModule {}
