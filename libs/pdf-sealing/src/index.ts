export type { PreparedSeal, SealOptions } from './append/revision.ts';
export { PdfPool, PdfPoolBusy } from './pdf-pool.ts';
export type { PdfPoolOptions } from './pdf-pool.ts';
export type { Placeholder } from './placeholder.ts';
export { SealingFailure } from './sealing-failure.ts';
export type { FailureCode } from './sealing-failure.ts';
export type { TemplateReport, TemplateWarning, TemplateWarningCode } from './template-report.ts';
