import { ArchiveActions, HistoryArchive } from '@constancia/archives';
import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.ts';
import { LedgerArchives } from './ledger-archives.ts';

/** Old entries of the ledger as files in the object store. */
@Module({
  imports: [OpsModule, BillingModule],
  controllers: [ArchiveActions],
  providers: [LedgerArchives, { provide: HistoryArchive, useExisting: LedgerArchives }],
})
export class LedgerArchiveModule {}
