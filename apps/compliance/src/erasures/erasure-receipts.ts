import type { ModuleErasure } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';

/** What compliance can have of a person, in the words of a receipt. */
export const ERASABLE = ['monitoring', 'dismissed_hits', 'stored_answers', 'screenings', 'cases'] as const;
export type Erasable = (typeof ERASABLE)[number];

/** A row of compliance.erasure_receipt. Ids are UUIDs. */
export interface ErasureReceipt {
  id: string;
  tenant_id: string;
  subject_refs: string[];
  actor: string;
  erased_at: Date;
  /** Receipts whose blocked data this one shows. */
  covers: string[];
  key_ids: string[];
  erased: Erasable[];
  kept: Erasable[];
  kept_until: Date | null;
  /** When the legal duty was over and the keys were destroyed. */
  ended_at: Date | null;
}

const COLUMNS = 'id, tenant_id, subject_refs, actor, erased_at, covers, key_ids, erased, kept, kept_until, ended_at';

export const LEGAL_BASIS =
  'SARLAFT: documents of customer due diligence are kept for five years from the end of the relationship, or as long as the entity has set.';

export async function receiptById(tx: Tx, tenantId: string, id: string): Promise<ErasureReceipt | undefined> {
  const [receipt] = await tx.query<ErasureReceipt>(
    `select ${COLUMNS} from compliance.erasure_receipt where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return receipt;
}

/** The receipts of a person's references, the newest first. */
export function receiptsOf(tx: Tx, tenantId: string, refs: readonly string[]): Promise<ErasureReceipt[]> {
  return tx.query<ErasureReceipt>(
    `select ${COLUMNS} from compliance.erasure_receipt where tenant_id = $1 and subject_refs && $2 order by erased_at desc, id desc`,
    [tenantId, refs],
  );
}

export async function insertReceipt(
  tx: Tx,
  receipt: Omit<ErasureReceipt, 'erased_at' | 'ended_at'>,
): Promise<ErasureReceipt> {
  const { id, tenant_id, subject_refs, actor, covers, key_ids, erased, kept, kept_until } = receipt;
  const [inserted] = await tx.query<ErasureReceipt>(
    `insert into compliance.erasure_receipt (id, tenant_id, subject_refs, actor, covers, key_ids, erased, kept, kept_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${COLUMNS}`,
    [id, tenant_id, subject_refs, actor, covers, key_ids, erased, kept, kept_until],
  );
  return inserted as ErasureReceipt;
}

/** The module's part of a receipt, as callers and the identity module see it. */
export function moduleErasure({ erased, kept, kept_until }: ErasureReceipt): ModuleErasure {
  const keeps = kept.length > 0;
  return {
    module: 'compliance',
    status: 'done',
    erased,
    kept,
    legal_basis: keeps ? LEGAL_BASIS : null,
    kept_until: keeps ? (kept_until?.toISOString() ?? null) : null,
  };
}
