import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  buildIndex,
  diffEntries,
  type EntryKind,
  importCountryStatuses,
  importList,
  type ListCode,
  type ListEntry,
  type ListFile,
  ListFileProblem,
  plainCsvFaults,
} from '@constancia/name-screening';
import { type EntryChange, packLines, unpackEntries } from './entry-lines.ts';
import { entryOfCountry } from './fatf-statuses.ts';
import { refuseAnotherList, refuseLongEntries, refuseShrinking } from './import-guards.ts';
import type { CheckJob, ImportedFile, PreparedList, PrepareJob } from './list-jobs.ts';
import { ListRefused, type Refusal } from './list-refused.ts';

/** What was read, whatever the list. */
type ReadList = Pick<PreparedList, 'format' | 'files' | 'sha256' | 'publishedAt' | 'warnings'> & {
  entries: ListEntry[];
  removed: string[];
};

/**
 * Everything between a file and a version that can be activated: reads, guards, compares with the active version and builds the
 * index. Takes seconds of a processor: not for the thread that answers requests. Answers undefined when the active version is
 * this very file. Throws ListFileProblem and ListRefused.
 */
export async function prepareList(job: PrepareJob): Promise<PreparedList | undefined> {
  const read = job.list === 'FATF' ? await readCountries(job) : await readEntries(job);
  if (job.before?.sha256 === read.sha256) return undefined;
  const before = job.before ? await unpackEntries(Buffer.from(job.before.packedEntries)) : [];
  const entries = job.delta ? applied(before, read) : read.entries;
  refuseLongEntries(entries);
  const size = sizeOf(entries);
  if (!job.force) refuseShrinking(job.before?.size, size);

  const changes = changesBetween(before, entries);
  // Compressed by other threads while this one builds the index.
  const packed = Promise.all([packLines(entries), packLines(changes)]);
  const index = job.list === 'FATF' ? undefined : indexOf(job.list, entries);
  const [packedEntries, packedChanges] = await packed;
  return {
    format: read.format,
    files: read.files,
    sha256: read.sha256,
    publishedAt: read.publishedAt,
    warnings: read.warnings,
    size,
    names: entries.reduce((sum, { names }) => sum + names.length, 0),
    aliases: entries.reduce((sum, { names }) => sum + names.filter(({ quality }) => quality !== 'primary').length, 0),
    changes: {
      added: changes.filter((change) => change.before === null).length,
      changed: changes.filter((change) => change.before !== null && change.after !== null).length,
      removed: changes.filter((change) => change.after === null).length,
    },
    packedEntries,
    packedChanges,
    ...(index && { index }),
  };
}

/** The serialised index of a list's entries. */
export function indexOf(list: ListCode, entries: ListEntry[]): Uint8Array {
  return buildIndex(list, entries).serialise();
}

/** What is wrong with the rows of a plain CSV; nothing when it can be imported. */
export async function faultsIn({ files, most }: CheckJob): Promise<Refusal[]> {
  return (await plainCsvFaults(sourceOf(files), most)).map(refusalOfFile);
}

async function readEntries(job: PrepareJob): Promise<ReadList> {
  // An OFAC alias without its entry would be lost: a name that is listed is found, whatever else is missing.
  const imported = await importList(job.format, sourceOf(job.files), { keepOrphans: true }).catch(async (error) => {
    if (job.mayBeEmpty && error instanceof ListFileProblem && error.code === 'empty') return emptyList(job, error);
    throw error;
  });
  refuseAnotherList(job.list, imported.format);
  refuseUnexpectedDelta(job, imported);
  return imported;
}

/** A header and nobody below it. */
async function emptyList({ files, format }: PrepareJob, problem: ListFileProblem) {
  const [file] = files;
  const bytes = file && 'bytes' in file ? Buffer.from(file.bytes) : undefined;
  if (file === undefined || bytes === undefined || bytes.toString('utf8').trim() === '' || format === 'auto') {
    throw problem;
  }
  const sha256 = (await sha256Of(files)) ?? '';
  const read = [{ name: problem.file ?? '', bytes: bytes.length, sha256 }];
  return { format, files: read, sha256, publishedAt: undefined, warnings: [], entries: [], removed: [] };
}

async function readCountries(job: PrepareJob): Promise<ReadList> {
  const table = await importCountryStatuses(sourceOf(job.files));
  const file = job.files[0];
  const name = file === undefined ? '' : 'path' in file ? path.basename(file.path) : file.name;
  return {
    format: 'fatf-csv',
    files: [{ name, bytes: 0, sha256: table.sha256 }],
    sha256: table.sha256,
    publishedAt: new Date(table.asOf).toISOString(),
    warnings: [],
    entries: table.statuses.map(entryOfCountry),
    removed: [],
  };
}

function refuseUnexpectedDelta({ delta, before, list }: PrepareJob, { removed }: ReadList): void {
  if (delta && before === undefined) {
    throw new ListRefused({
      code: 'no_list_to_change',
      detail: `There is no active ${list} that a delta file could change. Import the whole list first.`,
    });
  }
  if (!delta && removed.length > 0) {
    throw new ListRefused({
      code: 'delta_file',
      detail: 'The file says what changed, not what is on the list. Import it with --delta, or get the whole list.',
    });
  }
}

/** The entries after a delta file: those it names replaced or added, those it removes left out. */
function applied(before: ListEntry[], { entries, removed }: ReadList): ListEntry[] {
  const after = new Map(before.map((entry) => [entry.id, entry]));
  for (const entry of entries) after.set(entry.id, entry);
  for (const id of removed) after.delete(id);
  return [...after.values()];
}

function changesBetween(before: ListEntry[], after: ListEntry[]): EntryChange[] {
  const { added, changed, removed } = diffEntries(before, after);
  return [
    ...added.map((entry) => ({ before: null, after: entry })),
    ...changed,
    ...removed.map((entry) => ({ before: entry, after: null })),
  ];
}

function sizeOf(entries: ListEntry[]): PreparedList['size'] {
  const kinds: Partial<Record<EntryKind, number>> = {};
  for (const { kind } of entries) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return { entries: entries.length, kinds };
}

const sourceOf = (files: readonly ImportedFile[]): (string | ListFile)[] =>
  files.map((file) => {
    if ('path' in file) return file.path;
    return { name: file.name, open: () => Readable.from([Buffer.from(file.bytes)]) };
  });

/** SHA-256 of a file that was refused, so that its row says which one it was; undefined when it cannot be read either. */
export async function sha256Of(files: readonly ImportedFile[]): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for (const file of files) {
      const bytes = 'path' in file ? createReadStream(file.path) : [file.bytes];
      for await (const chunk of bytes as AsyncIterable<Buffer>) hash.update(chunk);
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

/** What a file problem or a broken guard is kept and shown as; undefined for any other error. */
export function refusalOf(error: unknown): ListRefused['refusal'] | undefined {
  if (error instanceof ListRefused) return error.refusal;
  if (!(error instanceof ListFileProblem)) return undefined;
  return refusalOfFile(error);
}

const refusalOfFile = ({ code, detail, file, line }: ListFileProblem): Refusal => ({ code, detail, file, line });
