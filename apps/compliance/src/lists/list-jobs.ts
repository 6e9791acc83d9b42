import type { ListCode, ListFormat, ImportWarning, ReadFile } from '@constancia/name-screening';
import type { ListSize } from './import-guards.ts';
import type { Refusal } from './list-refused.ts';

/** A file to import: a place on disk (a folder, or OFAC's sdn.csv with the others beside it), or the bytes themselves. */
export type ImportedFile = { path: string } | { name: string; bytes: Uint8Array };

/** Read files, compare them with what is active, build the index. */
export interface PrepareJob {
  job: 'prepare';
  list: ListCode;
  files: readonly ImportedFile[];
  format: ListFormat | 'auto';
  /** The files say what changed, not what is. */
  delta: boolean;
  /** Skips the guards against shrinking. */
  force: boolean;
  /** A file without entries is a list without entries. */
  mayBeEmpty: boolean;
  /** The active version, if there is one. */
  before?: { size: ListSize; sha256: string; packedEntries: Uint8Array };
}

/** Build an index from stored entries. */
export interface BuildJob {
  job: 'build';
  list: ListCode;
  packedEntries: Uint8Array;
}

/** Say of every row of a plain CSV what is wrong with it. */
export interface CheckJob {
  job: 'check';
  files: readonly ImportedFile[];
  /** So many at most. */
  most: number;
}

/** All that a version consists of. */
export interface PreparedList {
  format: ListFormat | 'fatf-csv';
  files: ReadFile[];
  /** Hex. */
  sha256: string;
  /** ISO 8601, where the source says. */
  publishedAt?: string;
  size: ListSize;
  names: number;
  aliases: number;
  changes: { added: number; changed: number; removed: number };
  warnings: ImportWarning[];
  packedEntries: Uint8Array;
  packedChanges: Uint8Array;
  /** FATF has none: nobody's name is on it. */
  index?: Uint8Array;
}

export type ListJob = PrepareJob | BuildJob | CheckJob;

export type ListAnswer =
  | { prepared: PreparedList }
  | { unchanged: true }
  | { index: Uint8Array }
  | { faults: Refusal[] }
  /** `sha256`: of the files, where they could be read at all. */
  | { refused: Refusal; sha256?: string }
  | { failed: string };
