import { Facts } from '@constancia/web';
import type { ReactNode } from 'react';
import { useText } from '../text/language.ts';
import { BatchState, type BatchStatus } from './batch-state.tsx';
import type { BatchWords } from './batch-words.ts';

/** What the batches of every kind have in common. */
export interface BatchRow {
  id: string;
  status: BatchStatus;
  reason: string | null;
  rows: number;
  processed: number;
  skipped: number;
  credits_debited: number;
  external_ref: string | null;
  created_at: string;
  finished_at: string | null;
}

/** A page that nobody uses lets its session end: 10 minutes. */
export const WATCH = { everyMs: 3_000, times: 200 };

interface BatchFactsProps {
  of: BatchRow;
  words: BatchWords;
  /** What its rows are done by. */
  by: readonly [label: string, value: ReactNode];
}

/** How far a batch is. */
export function BatchFacts({ of: batch, words, by }: BatchFactsProps) {
  const { number, clock } = useText();
  const { rows, processed, skipped, credits_debited, external_ref, created_at, finished_at } = batch;
  return (
    <section className="card">
      <progress value={processed} max={rows} aria-label={words.done} />
      <Facts
        pairs={[
          [words.status, <BatchState of={batch} words={words} />],
          [words.done, `${number(processed)} / ${number(rows)}`],
          ...(skipped === 0 ? [] : [[words.skipped, number(skipped)] as const]),
          [words.credits, number(credits_debited)],
          by,
          [words.reference, external_ref],
          [words.created, clock(created_at)],
          [words.finished, finished_at && clock(finished_at)],
        ]}
      />
    </section>
  );
}
