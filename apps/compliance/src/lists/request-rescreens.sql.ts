import type { ListCode } from '@constancia/reference-data';
import type { Tx } from '@constancia/persistence';
import { currentTraceparent } from '@constancia/telemetry';

/** Two versions of a list, one after the other; whatever changed in between. */
export interface ListChange {
  list: ListCode;
  /** Null: the operator's list, which concerns every tenant. */
  tenantId: string | null;
  /** Null: there was none. */
  from: string | null;
  to: string;
}

/**
 * Asks, within the transaction that activates a version, for the subjects that it may concern to be screened again: one job per
 * tenant and list, however many versions follow one another. Answers for how many tenants.
 */
export async function requestRescreens(tx: Tx, { list, tenantId, from, to }: ListChange): Promise<number> {
  const [row] = await tx.query<{ jobs: number }>('select compliance.request_rescreens($1, $2, $3, $4, $5) as jobs', [
    list,
    tenantId,
    from,
    to,
    currentTraceparent() ?? null,
  ]);
  return row?.jobs ?? 0;
}
