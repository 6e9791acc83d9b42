import { createHash } from 'node:crypto';
import type { BirthDate } from '../entry.ts';
import { countryCode } from './country-code.ts';
import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';
import { Utf8Text } from './utf8-text.ts';

/** Bounds of one import. A published list stays far below each of them. */
export interface ImportLimits {
  /** Per file, in bytes. OFAC's advanced XML has about 120 MB. */
  maxFileBytes: number;
  /** Of one record (a CSV row, a JSON line, an XML element of one entry), in characters. */
  maxRecordCharacters: number;
  /** Nesting of XML elements. */
  maxDepth: number;
}

export const DEFAULT_IMPORT_LIMITS: ImportLimits = {
  maxFileBytes: 1024 * 1024 * 1024,
  maxRecordCharacters: 8 * 1024 * 1024,
  maxDepth: 32,
};

/** Something that was read around: the entry is imported, without the part that nobody could read. */
export interface ImportWarning {
  code:
    'unknown_country' | 'unreadable_date' | 'orphan_row' | 'skipped_record' | 'no_name' | 'repeated_id' | 'old_columns';
  /** The first three examples. */
  examples: string[];
  /** How often. */
  count: number;
}

/** What a file turned out to be, once it has been read to its end. */
export interface ReadFile {
  name: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** One import while it runs: the files, the bounds, and what is noted on the way. */
export class Reading {
  readonly read: ReadFile[] = [];
  private readonly counted = new Map<string, number>();
  /** Delta files: entries that are no longer on the list. */
  readonly removed: string[] = [];
  private readonly warned = new Map<ImportWarning['code'], ImportWarning>();
  private published?: string;

  constructor(
    readonly files: readonly ListFile[],
    readonly limits: ImportLimits /** OFAC: an alias row whose entry is missing becomes an entry of its own. */,
    readonly keepOrphans: boolean,
  ) {}

  /** Text of one file, in pieces; notes its size and hash at the end. Throws ListFileProblem (encoding, size, empty). */
  async *text(file: ListFile): AsyncGenerator<string> {
    const hash = createHash('sha256');
    const text = new Utf8Text(file.name);
    let bytes = 0;
    for await (const chunk of file.open() as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > this.limits.maxFileBytes) {
        throw new ListFileProblem(
          'too_large',
          `The file has more than ${this.limits.maxFileBytes} bytes. Check that it is a list.`,
          { file: file.name },
        );
      }
      hash.update(chunk);
      const piece = text.write(chunk);
      if (piece) yield piece;
    }
    const last = text.end();
    if (last) yield last;
    this.read.push({ name: file.name, bytes, sha256: hash.digest('hex') });
  }

  count(record: string): void {
    this.counted.set(record, (this.counted.get(record) ?? 0) + 1);
  }

  warn(code: ImportWarning['code'], example: string): void {
    const warning = this.warned.get(code) ?? { code, examples: [], count: 0 };
    warning.count += 1;
    if (warning.examples.length < 3 && !warning.examples.includes(example))
      warning.examples.push(example.slice(0, 200));
    this.warned.set(code, warning);
  }

  /** Rows or elements seen, by file or kind of record. */
  get records(): Record<string, number> {
    return Object.fromEntries(this.counted);
  }

  get warnings(): ImportWarning[] {
    return [...this.warned.values()];
  }

  /** Keeps the latest of the times at which the list, or a part of it, says that it was published. */
  publishedAt(at: string | undefined): void {
    if (!at || Number.isNaN(Date.parse(at))) return;
    const instant = new Date(/[Tt]/.test(at) && !/(Z|[+-]\d\d:?\d\d)$/i.test(at) ? `${at}Z` : at).toISOString();
    if (!this.published || instant > this.published) this.published = instant;
  }

  get publishedInstant(): string | undefined {
    return this.published;
  }

  /** ISO code of a country as a list writes it; an unknown one is noted. Undefined for "unknown" and the like. */
  country(text: string | undefined): string | undefined {
    if (!text?.trim()) return undefined;
    const code = countryCode(text);
    if (code === undefined) this.warn('unknown_country', text.trim());
    return code || undefined;
  }

  /** The dates, or a note that nobody could read them. */
  dates(text: string, parsed: BirthDate[]): BirthDate[] {
    if (parsed.length === 0) this.warn('unreadable_date', text);
    return parsed;
  }
}
