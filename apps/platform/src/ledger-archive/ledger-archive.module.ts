import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.ts';
import { ArchiveActions } from './archive-actions.ts';
import { LedgerArchives } from './ledger-archives.ts';

/** Old entries of the ledger as files in the object store. */
@Module({
  imports: [OpsModule, BillingModule],
  controllers: [ArchiveActions],
  providers: [LedgerArchives],
})
export class LedgerArchiveModule {}
