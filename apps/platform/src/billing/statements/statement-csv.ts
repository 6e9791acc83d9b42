import { type CsvColumns, csvOf } from '../csv.ts';
import type { Balance, Statement } from './statement.ts';

interface Line {
  line: string;
  module?: string;
  operation?: string;
  count?: number;
  /** Signed: the opening balance and all lines behind it add up to the closing balance. */
  credits: number;
}

const total = ({ available, held }: Balance): number => available + held;

/** The lines of a statement, in the order of the document. */
export function statementLines(statement: Statement): Line[] {
  const { grants, top_ups, reversals, usage, opening_balance, closing_balance } = statement;
  return [
    { line: 'opening_balance', credits: total(opening_balance) },
    { line: 'grants', count: grants.count, credits: grants.credits },
    { line: 'top_ups', count: top_ups.count, credits: top_ups.credits },
    { line: 'reversals', count: reversals.count, credits: -reversals.credits },
    ...usage.flatMap(({ module, operation, count, credits, refunded }) => [
      { line: 'usage', module, operation, count, credits: -credits },
      { line: 'refunds', module, operation, credits: refunded },
    ]),
    { line: 'closing_balance', credits: total(closing_balance) },
    { line: 'of_which_held', credits: closing_balance.held },
  ];
}

/** A statement as CSV. */
export function statementCsv(statement: Statement): string {
  const columns: CsvColumns<Line> = {
    month: () => statement.month,
    status: () => statement.status,
    line: ({ line }) => line,
    module: ({ module }) => module ?? '',
    operation: ({ operation }) => operation ?? '',
    count: ({ count }) => count ?? '',
    credits: ({ credits }) => credits,
  };
  return csvOf(columns, statementLines(statement));
}
