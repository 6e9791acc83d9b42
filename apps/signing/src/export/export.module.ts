import { TenantExportModule } from '@constancia/tenant-export';
import { Module } from '@nestjs/common';
import { EnvelopeRecordsModule } from '../envelope-records/envelope-records.module.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { TrailArchiveModule } from '../trail-archive/trail-archive.module.ts';
import { ExportTenant } from './export-tenant.ts';
import { SigningExport } from './signing-export.ts';

@Module({
  imports: [TenantExportModule, EnvelopeRecordsModule, SigningKeysModule, TrailArchiveModule],
  controllers: [ExportTenant],
  providers: [SigningExport],
})
export class ExportModule {}
