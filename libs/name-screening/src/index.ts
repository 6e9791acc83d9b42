export { LIST_CODES } from './entry.ts';
export type { BirthDate, EntryIdentifier, EntryKind, EntryName, ListCode, ListEntry } from './entry.ts';
export { DEFAULT_NEAR, DEFAULT_THRESHOLD, MATCHER_VERSION } from './match/version.ts';
export { UNMATCHABLE } from './match/screening-query.ts';
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
