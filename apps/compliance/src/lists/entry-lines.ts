import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { ListEntry } from '@constancia/name-screening';

const gzipped = promisify(gzip);
const gunzipped = promisify(gunzip);

/** An entry before and after one import; null: it was not, or is no more, on the list. */
export interface EntryChange {
  before: ListEntry | null;
  after: ListEntry | null;
}

/** JSON lines, gzip: how entries and changes are stored. */
export async function packLines(values: readonly unknown[]): Promise<Buffer> {
  return gzipped(values.map((value) => `${JSON.stringify(value)}\n`).join(''), { level: 4 });
}

export async function unpackEntries(packed: Buffer): Promise<ListEntry[]> {
  return (await unpackLines(packed)) as ListEntry[];
}

export async function unpackChanges(packed: Buffer): Promise<EntryChange[]> {
  return (await unpackLines(packed)) as EntryChange[];
}

async function unpackLines(packed: Buffer): Promise<unknown[]> {
  const text = (await gunzipped(packed)).toString('utf8');
  return text === '' ? [] : (JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as unknown[]);
}
