import { LedgerReader } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { Module } from '@nestjs/common';
import { StaleHolds } from './reap-stale-holds.ts';
import { ShowBalance } from './show-balance.ts';
import { ShowLedger } from './show-ledger.ts';
import { LedgerWatch } from './watch-ledger.ts';

/** Credits: what a tenant sees of them, and what keeps the ledger sound. */
@Module({
  controllers: [ShowBalance, ShowLedger],
  providers: [
    { provide: LedgerReader, inject: [Database], useFactory: (database: Database) => new LedgerReader(database) },
    StaleHolds,
    LedgerWatch,
  ],
})
export class BillingModule {}
