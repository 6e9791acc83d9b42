import { LedgerReader } from '@constancia/credit-ledger';
import { OpsModule } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Module } from '@nestjs/common';
import { TopupModule } from '../billing/topup/topup.module.ts';
import { RefundActions } from './refund-actions.ts';
import { RepeatRefunds } from './repeat-refunds.ts';
import { TopupRefunds } from './topup-refunds.ts';

/** Payments that operators give back. */
@Module({
  imports: [OpsModule, TopupModule],
  controllers: [RefundActions],
  providers: [
    RepeatRefunds,
    TopupRefunds,
    { provide: LedgerReader, inject: [Database], useFactory: (database: Database) => new LedgerReader(database) },
  ],
})
export class RefundsModule {}
