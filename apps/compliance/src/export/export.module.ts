import { TenantExportModule } from '@constancia/tenant-export';
import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { ListsModule } from '../lists/lists.module.ts';
import { ComplianceExport } from './compliance-export.ts';
import { ExportTenant } from './export-tenant.ts';

@Module({
  imports: [TenantExportModule, CasesModule, ListsModule],
  controllers: [ExportTenant],
  providers: [ComplianceExport],
})
export class ExportModule {}
