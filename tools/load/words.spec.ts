import { expect, it } from 'vitest';
import { ACTIVITIES, type Moment, viewOf, wordsIn } from './words.ts';

const MOMENT: Moment = {
  day: 12,
  elapsed: '6:00',
  length: '15:00',
  weekend: false,
  rows: ACTIVITIES.map((name) => ({
    name,
    done: 12_345,
    perSecond: 10.04,
    figures: { answered: 1, refused: 0, p50: 4, p99: 1_250 },
  })),
  waiting: 3,
  endpointFails: true,
  credits: 60_000,
};

it.each([
  [
    'en',
    'Day 12 of 30 · 6:00 / 15:00',
    '12,345',
    '60,000 credits · 3 webhooks wait · the endpoint of signing answers 500',
  ],
  [
    'es-CO',
    'Día 12 de 30 · 6:00 / 15:00',
    '12.345',
    '60.000 créditos · 3 webhooks esperan · el endpoint de firma responde 500',
  ],
])('shows the month in columns, in %s', (locale, day, done, state) => {
  const lines = viewOf(MOMENT, 30, wordsIn(locale));
  expect(lines[0]).toBe(day);
  expect(lines.at(-1)).toBe(state);
  const columns = lines.slice(2, -2);
  expect(columns).toHaveLength(1 + ACTIVITIES.length);
  expect(new Set(columns.map(({ length }) => length)).size).toBe(1);
  expect(columns[1]).toContain(done);
});
