import type { TenantKeyring } from '@constancia/personal-data';
import type { BatchTables } from './batch-records.ts';

export interface ChunkAddress {
  batchId: string;
  firstRow: number;
}

const contextOf = ({ name }: BatchTables, { batchId, firstRow }: ChunkAddress): string =>
  `${name}_chunk:${batchId}:${firstRow}`;

/** Rows as they are stored until they are done, at most for as long as a batch may stay open. */
export function sealChunk(
  tables: BatchTables,
  keyring: TenantKeyring,
  at: ChunkAddress,
  rows: readonly unknown[],
): Buffer {
  return keyring.sealText(contextOf(tables, at), JSON.stringify(rows));
}

export function openChunk<Subject>(
  tables: BatchTables,
  keyring: TenantKeyring,
  at: ChunkAddress,
  sealed: Buffer,
): Subject[] {
  return JSON.parse(keyring.openText(contextOf(tables, at), sealed)) as Subject[];
}
