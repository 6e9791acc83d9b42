import { describe, expect, it } from 'vitest';
import type { ClaimedBatch, StoredChunk } from './batch-jobs.ts';
import { BatchTurns, type TurnParts } from './batch-turns.ts';

type Batch = ClaimedBatch<object, 'internal_error' | 'insufficient_credits'>;

/** What a turn does with a batch of two chunks of one row each. */
async function turn({ lately }: { lately: boolean }): Promise<string[]> {
  const steps: string[] = [];
  const chunks = [1, 2].map((first_row) => ({ first_row, rows: 1 }) as StoredChunk);
  const parts = {
    jobs: {
      isOfClosedTenant: async () => false,
      nextChunk: async (_: Batch, afterRow: number) => chunks.find(({ first_row: row }) => row > afterRow),
      advance: async () => true,
      end: async (_: Batch, status: string) => void steps.push(status),
    },
    work: {
      waitingRows: async (_: Batch, { first_row }: StoredChunk) => [first_row],
      subjectOf: String,
      plan: async (_: Batch, [row]: readonly number[]) => {
        steps.push(`prepare ${row}`);
        return row;
      },
      commit: async (_: Batch, row: number) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        steps.push(`commit ${row}`);
        return { is: 'done', skipped: 0 };
      },
    },
    requests: { lately: () => lately },
  };
  const turns = new BatchTurns<Batch, number, number>(parts as unknown as TurnParts<Batch, number, number, never>, {
    limits: { days: 1 },
    what: 'batch',
    reasonOf: () => 'internal_error',
    onDone: () => undefined,
  });
  await turns.run({ created_at: new Date(), reason: null } as Batch);
  return steps;
}

describe('a turn of a batch', () => {
  it('prepares a chunk while the one before is committed', async () => {
    expect(await turn({ lately: false })).toEqual(['prepare 1', 'prepare 2', 'commit 1', 'commit 2', 'completed']);
  });

  it('does one after the other while there are requests to answer', async () => {
    expect(await turn({ lately: true })).toEqual(['prepare 1', 'commit 1', 'prepare 2', 'commit 2', 'completed']);
  });
});
