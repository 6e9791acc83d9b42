import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statementLines } from './statement-csv.ts';
import { statementMonth } from './statement-month.ts';
import { statementOf, type StatementRow } from './statement.ts';

const MONTH = statementMonth('2026-10', new Date('2026-11-24T12:00:00Z'));

const row = (kind: string, amount: number, quantity: number, more: Partial<StatementRow> = {}): StatementRow => ({
  before: false,
  module: 'billing',
  ref_type: 'topup',
  kind: kind as StatementRow['kind'],
  entries: 1,
  quantity,
  amount,
  ...more,
});

it('top-ups and reversals have lines of their own, and a reversal may leave a negative balance', () => {
  const statement = statementOf(MONTH, [
    row('topup', 2_425, 2_425, { before: true }),
    row('topup', 500, 500, { entries: 2 }),
    row('reversal', -3_000, 3_000),
  ]);
  expect(statement).toMatchObject({
    opening_balance: { available: 2_425, held: 0 },
    top_ups: { count: 2, credits: 500 },
    reversals: { count: 1, credits: 3_000 },
    closing_balance: { available: -75, held: 0 },
    usage: [],
  });
});

it('whatever the ledger holds, a statement adds up, and so do its lines', () => {
  const effects = { grant: 1, topup: 1, reversal: -1, debit: -1, refund: 1, hold: -1, capture: 0, release: 1 };
  const rows = fc.array(
    fc.record({
      before: fc.boolean(),
      module: fc.constantFrom('seal', 'identity', 'compliance'),
      ref_type: fc.constantFrom('signature', 'step_run', 'screening', 'something'),
      kind: fc.constantFrom(...(Object.keys(effects) as (keyof typeof effects)[])),
      entries: fc.nat(1_000),
      quantity: fc.nat(1_000_000),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(rows, (entries) => {
      const statement = statementOf(
        MONTH,
        entries.map((each) => ({ ...each, amount: effects[each.kind] * each.quantity }) as StatementRow),
      );
      const { opening_balance: opening, closing_balance: closing, grants, top_ups, reversals } = statement;
      const added = grants.credits + top_ups.credits - reversals.credits - statement.used + statement.refunded;
      expect(opening.available + opening.held + added).toBe(closing.available + closing.held);
      const lines = statementLines(statement);
      const end = lines.findIndex(({ line }) => line === 'closing_balance');
      expect(lines.slice(0, end).reduce((sum, { credits }) => sum + credits, 0)).toBe(lines[end]?.credits);
    }),
  );
});
