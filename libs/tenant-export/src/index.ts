export { ApiTenantExport } from './export-answer.ts';
export { takeSlot } from './export-admission.ts';
export { asRows, EXPORT_PAGE, newestFirst, newestPage, openStored } from './export-source.ts';
export type { ExportedFile, ExportedObject, ExportedRow, ExportSource, ListedPage } from './export-source.ts';
export { TenantExportModule } from './tenant-export.module.ts';
export { TenantExports } from './tenant-exports.ts';
export type { Content } from './archive.ts';
