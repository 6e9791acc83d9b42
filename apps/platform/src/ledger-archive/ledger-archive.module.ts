import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.ts';
import { LedgerArchives } from './ledger-archives.ts';

/** Old entries of the ledger as files in the object store. */
@Module({ imports: [BillingModule], providers: [LedgerArchives], exports: [LedgerArchives] })
export class LedgerArchiveModule {}
