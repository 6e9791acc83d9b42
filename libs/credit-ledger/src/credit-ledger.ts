import { type Database, sqlState, type Tx } from '@constancia/persistence';
import type { Debit } from './work-unit.ts';
import type { CreditAccount } from './credit-account.entity.ts';
import type { CreditEntry } from './credit-entry.entity.ts';
import { HoldSettledError, InsufficientCreditsError, LedgerEntryNotFoundError } from './errors.ts';

/** One line of a tenant's statement. */
export type StatementLine = Pick<
  CreditEntry,
  'id' | 'seq' | 'kind' | 'amount' | 'balance_after' | 'ref_type' | 'ref_id' | 'created_at'
>;

/** Up to where entries were archived: most are in files, no longer in the ledger. */
export interface ArchivedBefore {
  through_seq: number;
  last_at: Date;
}

/** Lines of a statement; null: none were archived. */
export interface LedgerStatement {
  entries: StatementLine[];
  archive: ArchivedBefore | null;
}

export interface Posted {
  entry_id: string;
  seq: number;
  balance_after: number;
}

/**
 * The credit ledger, one operation at a time, inside the caller's own transaction. Put it last before the commit: the
 * tenant's balance row stays locked from here on. Work that can be written as data goes through ChargedWork instead.
 *
 * Each operation happens once per business object (ref_type, ref_id): a second debit is refused by the store (23505), the
 * others answer what was done. Throws InsufficientCreditsError, LedgerEntryNotFoundError, HoldSettledError.
 */
export class CreditLedger {
  debit(tx: Tx, tenantId: string, debit: Debit): Promise<Posted> {
    return posted(tx, 'platform_v1.charge($1, $2, $3, $4, $5)', argumentsOf(tenantId, debit), debit.amount);
  }

  /** Gives back what was debited for an object, or a part of it, once. */
  refund(tx: Tx, tenantId: string, debit: Debit): Promise<Posted> {
    return posted(tx, 'platform_v1.refund($1, $2, $3, $4, $5)', argumentsOf(tenantId, debit), debit.amount);
  }

  /**
   * Sets credits aside for work under way; answers the hold's id, the same one while it is held. A hold that nobody settles is
   * released after ttlSeconds. Throws HoldSettledError when the object's hold was settled: it is not held for a second time.
   */
  async hold(tx: Tx, tenantId: string, debit: Debit, ttlSeconds: number): Promise<string> {
    const [row] = await named(
      tx.query<{ hold: string }>('select platform_v1.hold($1, $2, $3, $4, $5, $6) as hold', [
        ...argumentsOf(tenantId, debit),
        ttlSeconds,
      ]),
      debit.amount,
    );
    return (row as { hold: string }).hold;
  }

  /** Spends a hold. Throws HoldSettledError when it was released. */
  async capture(tx: Tx, holdId: string): Promise<void> {
    await named(tx.query('select platform_v1.capture($1)', [holdId]));
  }

  /** Gives a hold back. Throws HoldSettledError when it was captured. */
  async release(tx: Tx, holdId: string): Promise<void> {
    await named(tx.query('select platform_v1.release($1)', [holdId]));
  }
}

/** created_at is when a transaction began, seq follows the order of commits: they may differ by as long as a transaction may take, or a clock goes back. */
const OUT_OF_ORDER = `interval '1 hour'`;

interface StatementPage {
  limit: number;
  beforeSeq?: number;
  from?: Date;
  to?: Date;
}

/** Reads of the ledger, for the process that owns the platform schema. */
export class LedgerReader {
  constructor(private readonly database: Database) {}

  balance(tenantId: string): Promise<Pick<CreditAccount, 'available' | 'held'>> {
    return this.database.tenant(tenantId, async (tx) => {
      const [row] = await tx.query<Pick<CreditAccount, 'available' | 'held'>>(
        'select available, held from platform.credit_account where tenant_id = $1',
        [tenantId],
      );
      return row ?? { available: 0, held: 0 };
    });
  }

  /** Entries of a tenant, newest first, before a sequence number. Times bound created_at: from inclusive, to exclusive. */
  statement(tenantId: string, page: StatementPage): Promise<LedgerStatement> {
    return this.database.tenant(tenantId, async (tx) => {
      const entries = await this.statementIn(tx, tenantId, page);
      // Read last: an entry that is archived meanwhile is in the list, or the list says that it is archived.
      const [archive = null] = await tx.query<ArchivedBefore>(
        'select through_seq, last_at from platform.ledger_archive where tenant_id = $1 order by through_seq desc limit 1',
        [tenantId],
      );
      return { entries, archive };
    });
  }

  /**
   * The entries alone, in the caller's transaction. Few entries outside of the times are read: `seq` is bounded by those just outside of
   * them. Times are compared by an expression, since by its index all of a long period would be read and sorted. The bounds are selects: row-level security lets no
   * other expression with coalesce into the condition of an index.
   */
  statementIn(tx: Tx, tenantId: string, { limit, beforeSeq, from, to }: StatementPage): Promise<StatementLine[]> {
    return tx.query<StatementLine>(
      `select id, seq, kind, amount, balance_after, ref_type, ref_id, created_at
         from platform.credit_entry
        where tenant_id = $1 and ($2::bigint is null or seq < $2)
          and ($3::timestamptz is null or created_at + interval '0' >= $3 and seq > (select coalesce((
                select o.seq from platform.credit_entry o where o.tenant_id = $1 and o.created_at < $3 - ${OUT_OF_ORDER}
                 order by o.created_at desc limit 1), 0)))
          and ($4::timestamptz is null or created_at + interval '0' < $4 and seq <= (select coalesce((
                select o.seq from platform.credit_entry o where o.tenant_id = $1 and o.created_at >= $4 + ${OUT_OF_ORDER}
                 order by o.created_at limit 1), ${Number.MAX_SAFE_INTEGER})))
        order by seq desc limit $5`,
      [tenantId, beforeSeq ?? null, from ?? null, to ?? null, limit],
    );
  }

  /** Accounts that do not follow from their entries and holds; none when the ledger is sound. */
  verify(tenantId?: string): Promise<{ tenant_id: string; problem: string }[]> {
    return this.database.query('select * from platform.verify_ledger($1)', [tenantId ?? null]);
  }

  /**
   * By how many credits the accounts of the next tenants after one (null: from the first) differ from their newest entries: all 0 when
   * the ledger is sound. Costs the same however long the ledger is.
   */
  async drift(
    afterTenantId: string | null,
    tenants: number,
    entries: number,
  ): Promise<{ tenant_id: string; drift: number }[]> {
    const rows = await this.database.query<{ tenant_id: string; drift: number | string }>(
      'select * from platform.ledger_drift($1, $2, $3)',
      [afterTenantId, tenants, entries],
    );
    return rows.map(({ tenant_id, drift }) => ({ tenant_id, drift: Number(drift) }));
  }

  /** Releases holds whose time is over; answers how many. */
  async reapHolds(): Promise<number> {
    const [row] = await this.database.query<{ reaped: number }>('select platform.reap_holds() as reaped');
    return row?.reaped ?? 0;
  }
}

const argumentsOf = (tenantId: string, debit: Debit): unknown[] => [
  tenantId,
  debit.module,
  debit.refType,
  debit.refId,
  debit.amount,
];

async function posted(tx: Tx, call: string, params: unknown[], amount: number): Promise<Posted> {
  const [row] = await named(tx.query<Posted>(`select * from ${call}`, params), amount);
  return row as Posted;
}

async function named<T>(work: Promise<T>, amount?: number): Promise<T> {
  try {
    return await work;
  } catch (error) {
    switch (sqlState(error)) {
      case 'CN402':
        throw new InsufficientCreditsError(amount);
      case 'CN404':
        throw new LedgerEntryNotFoundError();
      case 'CN409':
        throw new HoldSettledError();
      default:
        throw error;
    }
  }
}
