import { SIGNING_CONTEXT } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import type { RowSealing, TenantKeyring } from '@constancia/personal-data';
import { SignatureRequest } from './signature-request.entity.ts';

export type MergeData = SignatureRequest['merge_data'];

/** What a signature request keeps of its merge data, until it is sealed into the document or the request fails. */
export type SealedMergeData = Record<'sealed_merge_data' | 'merge_key', Buffer>;

/** With its own key, stored in the same row and deleted with it: nothing else has to be read or written. */
export function sealMergeData(keyring: TenantKeyring, id: string, mergeData: MergeData): SealedMergeData {
  const { key, wrapped } = keyring.newSubject(id);
  return { sealed_merge_data: key.seal(SIGNING_CONTEXT.mergeData(id), mergeData), merge_key: wrapped };
}

/** Seals the merge data of waiting requests that is still in the clear. */
export async function sealMergeDataById(
  tx: Tx,
  { keyring, tenantId }: RowSealing,
  ids: readonly string[],
): Promise<void> {
  const rows = await tx.query<{ id: string; merge_data: MergeData }>(
    `select id, merge_data from signing.signature_request
      where tenant_id = $1 and id = any ($2) and status = 'pending' and merge_data <> '{}' order by id for update`,
    [tenantId, ids],
  );
  for (const { id, merge_data } of rows) {
    const sealed = { ...sealMergeData(keyring, id, merge_data), merge_data: {} };
    await tx.manager.update(SignatureRequest, { id, tenant_id: tenantId }, sealed);
  }
}
