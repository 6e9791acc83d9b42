import { Module } from '@nestjs/common';
import { TenantExports } from './tenant-exports.ts';

/** Provides the export of a tenant to the app of a host. */
@Module({ providers: [TenantExports], exports: [TenantExports] })
export class TenantExportModule {}
