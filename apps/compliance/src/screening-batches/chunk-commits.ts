import type { ChunkOutcome } from '@constancia/batches';
import { ChargedWork, InsufficientCreditsError, type WorkUnit } from '@constancia/credit-ledger';
import { hintDeliveries } from '@constancia/events';
import { isUniqueViolation, sqlState } from '@constancia/persistence';
import { Conflict } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { caseChanged } from '../cases/attach-to-case.ts';
import type { ClaimedBatch } from './batch-jobs.ts';
import { ChunkUnits, type WaitingRow } from './chunk-units.ts';

/** Rows whose units were made, and those that come after them: of the same subjects. */
export interface PlannedRows {
  rows: WaitingRow[];
  units: WorkUnit[];
  later: WaitingRow[];
}

/** How often rows are decided again, without any of them being done, because somebody works on their cases. */
const ATTEMPTS = 5;

/** Screens the rows of a chunk and commits them, each with its charge, case, events and mark, or not at all. */
@Injectable()
export class ChunkCommits {
  constructor(
    private readonly units: ChunkUnits,
    private readonly work: ChargedWork,
    private readonly queues: Queues,
  ) {}

  /** What is decided of a subject depends on its earlier rows: those are committed first. */
  async plan(batch: ClaimedBatch, waiting: readonly WaitingRow[]): Promise<PlannedRows> {
    const [rows, later] = firstOfEach(waiting);
    return { rows, later, units: rows.length === 0 ? [] : await this.units.of(batch, rows) };
  }

  /** Throws what the store throws, and Conflict when cases of the rows change all the time. */
  async commit(batch: ClaimedBatch, planned: PlannedRows): Promise<ChunkOutcome> {
    let plan = planned;
    const skipped = [...plan.rows, ...plan.later].filter(({ isErased }) => isErased).length;
    for (let fruitless = 0; fruitless < ATTEMPTS;) {
      const results = await this.work.commitTogether(plan.units);
      this.hint(plan.units, results);
      const changed = plan.rows.filter((_, nth) => caseChanged(results[nth]));
      const outcome = outcomeOf(results);
      if (outcome !== 'done') return { is: outcome };
      if (changed.length + plan.later.length === 0) return { is: 'done', skipped };
      fruitless = changed.length === plan.rows.length ? fruitless + 1 : 0;
      plan = await this.plan(batch, [...changed, ...plan.later]);
    }
    throw new Conflict('The cases of these subjects are being worked on.');
  }

  private hint(units: readonly WorkUnit[], results: readonly (Error | null)[]): void {
    hintDeliveries(
      this.queues,
      units.flatMap(({ events }, nth) => (results[nth] === null ? (events ?? []) : [])),
    );
  }
}

function firstOfEach(waiting: readonly WaitingRow[]): [first: WaitingRow[], later: WaitingRow[]] {
  const seen = new Set<string>();
  const [first, later]: [WaitingRow[], WaitingRow[]] = [[], []];
  for (const row of waiting) {
    (seen.has(row.subject[0]) ? later : first).push(row);
    seen.add(row.subject[0]);
  }
  return [first, later];
}

/** Throws the first error that is no outcome. A mark that is there: another process did the row. */
function outcomeOf(results: readonly (Error | null)[]): 'done' | 'unpaid' | 'ended' {
  const errors = results.filter((result) => result !== null);
  for (const error of errors) {
    const isOutcome = error instanceof InsufficientCreditsError || hasEnded(error) || caseChanged(error);
    if (!isOutcome && !isUniqueViolation(error, 'screening_batch_row_pkey')) throw error;
  }
  if (errors.some(hasEnded)) return 'ended';
  return errors.some((error) => error instanceof InsufficientCreditsError) ? 'unpaid' : 'done';
}

/** The store marks no row of a batch that is not open. */
const hasEnded = (error: unknown): boolean => sqlState(error) === 'CN410';
