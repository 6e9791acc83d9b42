import { TenantExportModule } from '@constancia/tenant-export';
import { Module } from '@nestjs/common';
import { ComplianceExport } from './compliance-export.ts';
import { ExportTenant } from './export-tenant.ts';

@Module({ imports: [TenantExportModule], controllers: [ExportTenant], providers: [ComplianceExport] })
export class ExportModule {}
