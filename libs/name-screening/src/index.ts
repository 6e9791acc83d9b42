export { LIST_CODES } from './entry.ts';
export type { BirthDate, EntryIdentifier, EntryKind, EntryName, ListCode, ListEntry } from './entry.ts';
export { buildIndex } from './index/build-index.ts';
export { ListIndex } from './index/list-index.ts';
export { IndexUnreadable } from './index/section-file.ts';
export { diffEntries } from './index/diff-entries.ts';
export type { EntryDiff } from './index/diff-entries.ts';
export { ListSet } from './match/list-set.ts';
export { Prefilter } from './match/prefilter.ts';
export { DEFAULT_NEAR, DEFAULT_THRESHOLD, MATCHER_VERSION } from './version.ts';
export type {
  BirthDateVerdict,
  CapReason,
  DataFlag,
  Evidence,
  Hit,
  MatchOptions,
  MatchResult,
  ScreeningQuery,
  TokenEvidence,
} from './match/screening-query.ts';
export { importList, streamList } from './import/import-list.ts';
export type { ImportCounts, ImportOptions, ImportedList } from './import/import-list.ts';
export { LIST_FORMATS, detectFormat } from './import/detect-format.ts';
export type { DetectedFormat, ListFormat } from './import/detect-format.ts';
export type { ListFile, ListSource } from './import/list-source.ts';
export { LIST_FILE_PROBLEMS, ListFileProblem } from './import/list-file-problem.ts';
export type { ListFileProblemCode } from './import/list-file-problem.ts';
export { DEFAULT_IMPORT_LIMITS } from './import/reading.ts';
export type { ImportLimits, ImportWarning, ReadFile } from './import/reading.ts';
export { COUNTRY_CATEGORIES, importCountryStatuses } from './import/fatf-csv.ts';
export type { CountryCategory, CountryStatus, ImportedCountryStatuses } from './import/fatf-csv.ts';
export { PLAIN_CSV_COLUMNS } from './import/plain-csv.ts';
export { countryCode } from './import/country-code.ts';
export { PARSER_VERSION } from './import/parser-version.ts';
export { FATF_CSV } from './sandbox/fatf-table.ts';
export { SANDBOX_CSV } from './sandbox/sandbox-csv.ts';
