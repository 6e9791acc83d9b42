import type { ModuleErasure } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';

/** What signing can have of a person, in the words of a receipt. */
export const ERASABLE = ['merge_data', 'signers', 'sealed_documents', 'envelope_trails'] as const;
export type Erasable = (typeof ERASABLE)[number];

/** A row of signing.erasure_receipt. Ids are UUIDs. */
export interface ErasureReceipt {
  id: string;
  tenant_id: string;
  subject_refs: string[];
  signer_ids: string[];
  actor: string;
  erased_at: Date;
  erased: Erasable[];
  kept: Erasable[];
  /** null: a document of the person is being sealed. */
  settled_at: Date | null;
}

const COLUMNS = 'id, tenant_id, subject_refs, signer_ids, actor, erased_at, erased, kept, settled_at';

export const LEGAL_BASIS =
  'Law 527 of 1999 and Decree 2364 of 2012: signed documents, and the trails that prove what happened to an envelope, are evidence of its parties.';

export async function receiptById(tx: Tx, tenantId: string, id: string): Promise<ErasureReceipt | undefined> {
  const [receipt] = await tx.query<ErasureReceipt>(
    `select ${COLUMNS} from signing.erasure_receipt where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return receipt;
}

/** The receipts of a person's references, the newest first. */
export function receiptsOf(tx: Tx, tenantId: string, refs: readonly string[]): Promise<ErasureReceipt[]> {
  return tx.query<ErasureReceipt>(
    `select ${COLUMNS} from signing.erasure_receipt where tenant_id = $1 and subject_refs && $2 order by erased_at desc, id desc`,
    [tenantId, refs],
  );
}

export type NewReceipt = Pick<ErasureReceipt, 'id' | 'tenant_id' | 'subject_refs' | 'signer_ids' | 'actor'>;

/** Of two that come with one id at once the first is kept. */
export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<void> {
  const { id, tenant_id, subject_refs, signer_ids, actor } = receipt;
  await tx.query(
    `insert into signing.erasure_receipt (id, tenant_id, subject_refs, signer_ids, actor) values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing`,
    [id, tenant_id, subject_refs, signer_ids, actor],
  );
}

/** The module's part of a receipt, as callers and the identity module see it. */
export function moduleErasure({ erased, kept, settled_at }: ErasureReceipt): ModuleErasure {
  return {
    module: 'signing',
    status: settled_at === null ? 'pending' : 'done',
    erased,
    kept,
    legal_basis: kept.length > 0 ? LEGAL_BASIS : null,
    kept_until: null,
  };
}
