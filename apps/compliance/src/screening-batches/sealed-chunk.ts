import type { TenantKeyring } from '@constancia/personal-data';
import type { BatchSubject } from './batch-rows.ts';

interface ChunkAddress {
  batchId: string;
  firstRow: number;
}

const contextOf = ({ batchId, firstRow }: ChunkAddress): string => `screening_batch_chunk:${batchId}:${firstRow}`;

/** Rows as they are stored until they are screened, at most for as long as a batch may stay open. */
export function sealChunk(keyring: TenantKeyring, at: ChunkAddress, subjects: readonly BatchSubject[]): Buffer {
  return keyring.sealText(contextOf(at), JSON.stringify(subjects));
}

export function openChunk(keyring: TenantKeyring, at: ChunkAddress, sealed: Buffer): BatchSubject[] {
  return JSON.parse(keyring.openText(contextOf(at), sealed)) as BatchSubject[];
}
