export { ApiTenantExport } from './export-answer.ts';
export { takeSlot } from './export-admission.ts';
export { asRows, EXPORT_PAGE, linePages, newestFirst, newestPage, openStored } from './export-source.ts';
export type { ExportedFile, ExportedObject, ExportedRow, ExportSource, ListedPage } from './export-source.ts';
export { TenantExportModule } from './tenant-export.module.ts';
export { TenantExports } from './tenant-exports.ts';
export type { Content } from './archive.ts';
export {
  ApiExportConfiguration,
  ApiImportConfiguration,
  ImportConfigurationQuery,
  ZIP,
} from './configuration/configuration-answers.ts';
export { ConfigurationKeys } from './configuration/configuration-key.ts';
export { changedMeanwhile } from './configuration/configuration-kind.ts';
export type {
  AppliedChange,
  ConfigurationChange,
  ConfigurationContent,
  ConfigurationFile,
  ConfigurationKind,
  ConfigurationSource,
} from './configuration/configuration-kind.ts';
export { exportConfiguration } from './configuration/export-configuration.ts';
export { importConfiguration } from './configuration/import-configuration.ts';
export { ConfigurationImportView } from './configuration/import-view.ts';
export { ZIP_LIMITS } from './configuration/zip-entries.ts';
