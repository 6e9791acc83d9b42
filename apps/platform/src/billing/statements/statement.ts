import { operationOf } from '@constancia/contracts';
import type { CreditDailyTotal } from '@constancia/credit-ledger';
import type { StatementMonth } from './statement-month.ts';

/** Totals of the ledger before a month, or in it. */
export type StatementRow = Pick<
  CreditDailyTotal,
  'module' | 'ref_type' | 'kind' | 'entries' | 'quantity' | 'amount'
> & {
  before: boolean;
};

export interface Balance {
  available: number;
  held: number;
}

export interface Moved {
  count: number;
  credits: number;
}

export interface StatementUsage extends Moved {
  module: string;
  operation: string;
  refunded: number;
}

/** A tenant's credits in a month: opening + grants + top-ups − reversals − usage + refunds = closing, of what is available and held. */
export interface Statement {
  month: string;
  status: 'provisional' | 'final';
  final_from: string;
  opening_balance: Balance;
  grants: Moved;
  top_ups: Moved;
  reversals: Moved;
  usage: StatementUsage[];
  used: number;
  refunded: number;
  closing_balance: Balance;
}

/** What a kind of entry does to what is held. */
const HELD: Readonly<Partial<Record<CreditDailyTotal['kind'], 1 | -1>>> = { hold: 1, capture: -1, release: -1 };

/** The statement that totals of the ledger make; pure. `rows`: each module, object and kind before the month and in it. */
export function statementOf({ month, isFinal, finalFrom }: StatementMonth, rows: readonly StatementRow[]): Statement {
  const inMonth = rows.filter(({ before }) => !before);
  const ofKind = (kind: string) => inMonth.filter((row) => row.kind === kind);
  const usage = usageOf(inMonth);
  return {
    month,
    status: isFinal ? 'final' : 'provisional',
    final_from: finalFrom.toISOString(),
    opening_balance: balanceOf(rows.filter(({ before }) => before)),
    grants: moved(ofKind('grant'), ({ amount }) => amount),
    top_ups: moved(ofKind('topup'), ({ amount }) => amount),
    reversals: moved(ofKind('reversal'), ({ amount }) => -amount),
    usage,
    used: sum(usage, ({ credits }) => credits),
    refunded: sum(usage, ({ refunded }) => refunded),
    closing_balance: balanceOf(rows),
  };
}

function balanceOf(rows: readonly StatementRow[]): Balance {
  return {
    available: sum(rows, ({ amount }) => amount),
    held: sum(rows, ({ kind, quantity }) => (HELD[kind] ?? 0) * quantity),
  };
}

function moved(rows: readonly StatementRow[], credits: (row: StatementRow) => number): Moved {
  return { count: sum(rows, ({ entries }) => entries), credits: sum(rows, credits) };
}

/** Debits and spent holds by module and operation, with what was given back. */
function usageOf(rows: readonly StatementRow[]): StatementUsage[] {
  const lines = new Map<string, StatementUsage>();
  for (const { module, ref_type, kind, entries, quantity } of rows) {
    if (kind !== 'debit' && kind !== 'capture' && kind !== 'refund') continue;
    const operation = operationOf(module, ref_type);
    const key = `${module} ${operation}`;
    const line = lines.get(key) ?? { module, operation, count: 0, credits: 0, refunded: 0 };
    if (kind === 'refund') line.refunded += quantity;
    else [line.count, line.credits] = [line.count + entries, line.credits + quantity];
    lines.set(key, line);
  }
  return [...lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
