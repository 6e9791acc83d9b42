import type { ResultColumns } from '@constancia/batches';
import type { ScreeningOutcome } from '../screenings/assess.ts';
import { ScreeningView } from '../screenings/screening-view.ts';
import type { Screenings } from '../screenings/screenings.ts';
import type { ScreeningBatchRow } from './screening-batch-row.entity.ts';

/** A row of a batch and its screening; null: the subject was erased. */
export interface BatchResult {
  row: number;
  screening: ScreeningView | null;
}

const COLUMNS: readonly [name: string, of: (screening: ScreeningView) => string | null][] = [
  ['screening_id', ({ id }) => id],
  ['subject_ref', ({ subject_ref }) => subject_ref],
  ['subject_type', ({ subject_type }) => subject_type],
  ['decision', ({ decision }) => decision],
  ['score', ({ score }) => String(score)],
  ['rules_fired', ({ findings }) => [...new Set(findings.map(({ rule_code }) => rule_code))].join('|')],
  ['list_hits', ({ list_hits }) => list_hits.join('|')],
  ['hits', ({ hits }) => String(hits.length)],
  ['data_gaps', ({ data_gaps }) => [...new Set(data_gaps.map(({ field }) => field))].join('|')],
  ['case_id', ({ case_id }) => case_id],
  ['credits_debited', ({ credits_debited }) => String(credits_debited)],
  ['created_at', ({ created_at }) => created_at],
];

export const RESULT_COLUMNS: ResultColumns<BatchResult> = [
  ['row', ({ row }) => String(row)],
  ...COLUMNS.map(([name, of]) => [name, ({ screening }: BatchResult) => screening && of(screening)] as const),
];

/** The results of pages of rows. */
export async function* resultsOf(
  screenings: Screenings,
  tenantId: string,
  pages: AsyncIterable<ScreeningBatchRow[]>,
): AsyncGenerator<BatchResult[]> {
  for await (const rows of pages) {
    const ids = rows.flatMap(({ screening_id }) => screening_id ?? []);
    const found = await screenings.many(tenantId, ids);
    const views = new Map(
      found.map((row) => [row.id, ScreeningView.of(row, JSON.parse(row.result) as ScreeningOutcome)]),
    );
    yield rows.map(({ row_number, screening_id }) => ({
      row: row_number,
      screening: (screening_id !== null && views.get(screening_id)) || null,
    }));
  }
}
