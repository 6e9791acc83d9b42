import type { ListEntry } from '@constancia/name-screening';
import { expect, it } from 'vitest';
import { refuseLongEntries } from './import-guards.ts';

const entry = (change: Partial<ListEntry>): ListEntry => ({
  id: '36',
  kind: 'person',
  names: [{ text: 'Juan Pérez Ficticio', quality: 'primary' }],
  birthDates: [],
  countries: ['CO'],
  identifiers: [],
  programmes: ['SDGT'],
  ...change,
});

it.each<[string, Partial<ListEntry>]>([
  ['identifier', { id: 'x'.repeat(513) }],
  ['name', { names: [{ text: 'x'.repeat(10_001), quality: 'strong' }] }],
  ['programme', { programmes: ['x'.repeat(10_001)] }],
  ['row of programmes', { programmes: Array.from({ length: 1_001 }, (_, nth) => `P${nth}`) }],
  ['office', { role: { title: 'x'.repeat(10_001) } }],
])('refuses an entry whose %s is too long to be one', (_, change) => {
  expect(() => refuseLongEntries([entry({}), entry(change)])).toThrow(/too long.*Check that its row is whole/);
});

it('takes entries up to the limits', () => {
  const long = entry({ id: 'x'.repeat(512), names: [{ text: 'x'.repeat(10_000), quality: 'primary' }] });
  expect(() => refuseLongEntries([entry({}), long])).not.toThrow();
});
