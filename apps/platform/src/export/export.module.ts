import { LedgerReader } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { TenantExportModule } from '@constancia/tenant-export';
import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.ts';
import { ExportTenant } from './export-tenant.ts';
import { PlatformExport } from './platform-export.ts';

@Module({
  imports: [TenantExportModule, IdentityModule],
  controllers: [ExportTenant],
  providers: [
    { provide: LedgerReader, inject: [Database], useFactory: (database: Database) => new LedgerReader(database) },
    PlatformExport,
  ],
})
export class ExportModule {}
