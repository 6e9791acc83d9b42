import type { Database, Tx } from '@constancia/persistence';
import { ObjectMissing, type ObjectStore } from '@constancia/storage';
import { type FindOperator, LessThan } from 'typeorm';
import type { Content } from './archive.ts';

/** A stored object that goes into the archive as a file. */
export interface ExportedObject {
  /** In the archive: `documents/sig_….pdf`. */
  path: string;
  /** What the source opens it by. */
  key: string;
}

/** A line of a file, in the words of the API, and the objects that belong to it. */
export interface ExportedRow {
  line: object;
  objects?: ExportedObject[];
}

/** What a module exports of one kind: `<name>.ndjson`. */
export interface ExportedFile {
  name: string;
  /** Its rows, some at a time, as the transaction's tenant sees them. */
  pages(tx: Tx): AsyncIterable<ExportedRow[]>;
}

/** What one schema exports. All of its files show one state of the store. */
export interface ExportSource {
  /** As the manifest names it. */
  module: string;
  database: Database;
  files: ExportedFile[];
  /** Opens an object that a row named; null when it was erased since. */
  open?(object: ExportedObject): Promise<Content | null>;
}

/** The content of a stored object; null when there is none any more. */
export async function openStored(objects: ObjectStore, key: string): Promise<Content | null> {
  try {
    return (await objects.stream(key)).body;
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}

/** Rows of a page. More is not faster, and stays in memory longer. */
export const EXPORT_PAGE = 200;

/** A page of a list that is read newest first. */
export interface ListedPage {
  /** Of the last row of the page before. */
  beforeId: string | undefined;
  limit: number;
}

/** Such a page of an entity whose ids ascend in time: what `manager.find` is given. */
export function newestPage(
  tenantId: string,
  { beforeId, limit }: ListedPage,
): { where: { tenant_id: string; id?: FindOperator<string> }; order: { id: 'DESC' }; take: number } {
  const where = { tenant_id: tenantId, ...(beforeId !== undefined && { id: LessThan(beforeId) }) };
  return { where, order: { id: 'DESC' }, take: limit };
}

/** Pages of a list that is read newest first, by the id of the last row. */
export async function* newestFirst<Row>(
  read: (page: ListedPage) => Promise<Row[]>,
  idOf: (row: Row) => string,
  limit = EXPORT_PAGE,
): AsyncGenerator<Row[]> {
  let beforeId: string | undefined;
  for (;;) {
    const rows = await read({ beforeId, limit });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    beforeId = idOf(last);
  }
}

/** Pages of a list as rows of a file. */
export async function* asRows<Row>(
  pages: AsyncIterable<Row[]>,
  rowOf: (row: Row) => ExportedRow,
): AsyncGenerator<ExportedRow[]> {
  for await (const rows of pages) yield rows.map(rowOf);
}

/** Pages of a list whose rows are lines already, each with the id by which the page after it begins. */
export function linePages<Row extends { id: string; line: object }>(
  read: (page: ListedPage) => Promise<Row[]>,
): AsyncGenerator<ExportedRow[]> {
  return asRows(
    newestFirst(read, ({ id }) => id),
    ({ line }) => ({ line }),
  );
}
