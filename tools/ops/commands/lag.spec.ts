import { expect, it } from 'vitest';
import { wordsFor } from '../words.ts';
import { lagLines } from './lag.ts';

const queue = (delayed: number) => ({
  queue: 'step-run',
  ...{ waiting: 0, active: 0, delayed, failed: 0, oldest_waiting_seconds: null },
});
const lines = (delayed: number) =>
  lagLines({ words: wordsFor({ LANG: 'en_US.UTF-8' }), width: 100 }, {
    outbox: { due: 0, oldest_due_seconds: null, delivering: 0 },
    work: [],
    queues: [queue(delayed)],
  } as unknown as Parameters<typeof lagLines>[1]).join('\n');

it('lag says what a delayed job of an idle queue is, and nothing of it when there is none', () => {
  expect(lines(1)).toContain('the next run of periodic work');
  expect(lines(0)).not.toContain('periodic work');
});
