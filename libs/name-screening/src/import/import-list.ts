import { createHash } from 'node:crypto';
import type { EntryKind, ListEntry } from '../entry.ts';
import { detectFormat, type ListFormat } from './detect-format.ts';
import { euJournalEntries } from './eu-journal-csv.ts';
import { fsfEntries } from './eu-fsf-xml.ts';
import { ftmEntries } from './ftm-lines.ts';
import { ListFileProblem } from './list-file-problem.ts';
import { OFAC_PARTS, filesOf, type ListFile, type ListSource } from './list-source.ts';
import { ofacAdvancedEntries } from './ofac-advanced-xml.ts';
import { ofacCsvEntries } from './ofac-csv.ts';
import { openSanctionsEntries } from './opensanctions-csv.ts';
import { plainCsvEntries } from './plain-csv.ts';
import { DEFAULT_IMPORT_LIMITS, Reading, type ImportLimits, type ImportWarning, type ReadFile } from './reading.ts';
import { senzingEntries } from './senzing-lines.ts';
import { unEntries } from './un-xml.ts';

const READERS: Record<ListFormat, (reading: Reading) => AsyncGenerator<ListEntry>> = {
  'ofac-csv': ofacCsvEntries,
  'ofac-advanced-xml': ofacAdvancedEntries,
  'un-xml': unEntries,
  'eu-fsf-xml': fsfEntries,
  'opensanctions-csv': openSanctionsEntries,
  'ftm-lines': ftmEntries,
  'senzing-lines': senzingEntries,
  'eu-journal-csv': euJournalEntries,
  'plain-csv': plainCsvEntries,
};

export interface ImportOptions {
  limits?: Partial<ImportLimits>;
  /** OFAC: an alias whose entry is missing becomes an entry of its own. Without it, the alias is only noted. */
  keepOrphans?: boolean;
}

export interface ImportCounts {
  entries: number;
  kinds: Record<EntryKind, number>;
  /** All names, primary ones too. */
  names: number;
  /** Names that are not primary, and the weak ones among them. */
  aliases: number;
  weakAliases: number;
  birthDates: number;
  identifiers: number;
  programmes: number;
}

/** A list as it was imported: what a new version of it is made of. */
export interface ImportedList {
  format: ListFormat;
  entries: ListEntry[];
  counts: ImportCounts;
  /** Rows and elements that were read, by file or kind of record: nothing is lost between them and the entries. */
  records: Record<string, number>;
  /** Delta files only: ids that are no longer on the list. */
  removed: string[];
  /** ISO 8601, as the file says; undefined where it does not. */
  publishedAt?: string;
  files: ReadFile[];
  /** Hex SHA-256 of the file; of several: of lines `<sha256>  <name>\n` in the order of their names. */
  sha256: string;
  warnings: ImportWarning[];
}

/**
 * Reads a list, whole or not at all. Streams each file; memory holds the entries. With `auto` the format is found out from
 * the content. Throws ListFileProblem with what is wrong and what to do.
 */
export async function importList(
  format: ListFormat | 'auto',
  source: ListSource,
  options: ImportOptions = {},
): Promise<ImportedList> {
  const files = filesOf(source);
  const known = format === 'auto' ? await formatOf(files) : format;
  const reading = readingOf(files, options);
  const entries: ListEntry[] = [];
  const counts = noCounts();
  for await (const entry of checked(reading, READERS[known](reading))) {
    entries.push(entry);
    countIn(counts, entry);
  }
  if (entries.length === 0 && reading.removed.length === 0) {
    throw new ListFileProblem('empty', 'The list holds no entry. Download it again.', { file: files[0]?.name });
  }
  return {
    format: known,
    entries,
    counts,
    records: reading.records,
    removed: reading.removed,
    publishedAt: reading.publishedInstant,
    files: byName(reading.read),
    sha256: hashOf(byName(reading.read)),
    warnings: reading.warnings,
  };
}

/** The entries of a list one by one, for one that is too large to be held. Throws as importList does, in the middle too. */
export async function* streamList(
  format: ListFormat,
  source: ListSource,
  options: ImportOptions = {},
): AsyncGenerator<ListEntry> {
  const reading = readingOf(filesOf(source), options);
  yield* checked(reading, READERS[format](reading));
}

function readingOf(files: ListFile[], options: ImportOptions): Reading {
  return new Reading(files, { ...DEFAULT_IMPORT_LIMITS, ...options.limits }, options.keepOrphans ?? false);
}

async function formatOf(files: ListFile[]): Promise<ListFormat> {
  const file = files.find(({ name }) => OFAC_PARTS.primary.test(name)) ?? files[0];
  const format = file ? await detectFormat(file) : 'fatf-csv';
  if (format !== 'fatf-csv') return format;
  throw new ListFileProblem('wrong_format', 'This is a table of countries. Import it as the list FATF.', {
    file: file?.name,
  });
}

/** What holds for every format: ids are unique, and every entry has a name. */
async function* checked(reading: Reading, entries: AsyncGenerator<ListEntry>): AsyncGenerator<ListEntry> {
  const seen = new Map<string, number>();
  for await (const entry of entries) {
    if (!entry.id) {
      throw new ListFileProblem('malformed', `An entry has no id: ${entry.names[0]?.text ?? 'no name either'}.`, {
        file: reading.files[0]?.name,
      });
    }
    const times = (seen.get(entry.id) ?? 0) + 1;
    seen.set(entry.id, times);
    if (times > 1) {
      reading.warn('repeated_id', entry.id);
      entry.id = `${entry.id}#${times}`;
    }
    if (entry.names.length === 0) {
      // It may still be found by its documents; a weak name is no hit by itself.
      reading.warn('no_name', entry.id);
      entry.names.push({ text: entry.id, quality: 'weak' });
    }
    yield entry;
  }
}

function noCounts(): ImportCounts {
  return {
    entries: 0,
    kinds: { person: 0, organisation: 0, vessel: 0, aircraft: 0, unknown: 0 },
    names: 0,
    aliases: 0,
    weakAliases: 0,
    birthDates: 0,
    identifiers: 0,
    programmes: 0,
  };
}

function countIn(counts: ImportCounts, entry: ListEntry): void {
  counts.entries += 1;
  counts.kinds[entry.kind] += 1;
  counts.names += entry.names.length;
  counts.aliases += entry.names.filter((name) => name.quality !== 'primary').length;
  counts.weakAliases += entry.names.filter((name) => name.quality === 'weak').length;
  counts.birthDates += entry.birthDates.length;
  counts.identifiers += entry.identifiers.length;
  counts.programmes += entry.programmes.length;
}

function byName(files: readonly ReadFile[]): ReadFile[] {
  return [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function hashOf(files: readonly ReadFile[]): string {
  const [only] = files;
  if (only && files.length === 1) return only.sha256;
  const lines = files.map(({ sha256, name }) => `${sha256}  ${name}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}
