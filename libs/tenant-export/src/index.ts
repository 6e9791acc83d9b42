export { ApiTenantExport } from './export-answer.ts';
export { asRows, EXPORT_PAGE, newestFirst, openStored } from './export-source.ts';
export type { ExportedFile, ExportedObject, ExportedRow, ExportSource } from './export-source.ts';
export { TenantExportModule } from './tenant-export.module.ts';
export { TenantExports } from './tenant-exports.ts';
export type { Content } from './archive.ts';
