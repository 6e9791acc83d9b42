import { expect, it } from 'vitest';
import { DatedLists, type DatedVersion, oldestOf } from './dated-lists.ts';

const AGES = { listMaxAgeDays: 30, fatfMaxAgeDays: 150 };
const day = (count: number): Date => new Date(Date.UTC(2026, 0, 1 + count));
const version = (facts: Partial<DatedVersion>): DatedVersion => ({
  ...{ list: 'OFAC', tenant_id: null, version: '1-a', published_at: null, superseded_at: null, fictional: false },
  ...{ imported_at: day(0), checks: [day(0)] },
  ...facts,
});
const DAY_SECONDS_MS = 86_400_000;

it('says how old a list was at a moment, by the imports before it', () => {
  const dated = new DatedLists([version({ checks: [day(0), day(20)], superseded_at: day(70) })], AGES);
  const at = (moment: Date) => {
    const [list] = dated.at({ OFAC: '1-a' }, moment);
    return [(list?.ageMs ?? 0) / DAY_SECONDS_MS, list?.isStale, list?.checkedAt, list?.supersededAt];
  };
  expect(at(day(19))).toEqual([19, false, day(0), null]);
  expect(at(day(25))).toEqual([5, false, day(20), null]);
  expect(at(day(60))).toEqual([40, true, day(20), null]);
  expect(at(day(80))).toEqual([60, true, day(20), day(70)]);
});

it('counts the FATF’s age from its statement; fictional lists and those of tenants are never stale', () => {
  const rows = [
    version({ list: 'FATF', published_at: day(-100), checks: [day(0), day(50)] }),
    version({ list: 'PEP', fictional: true }),
    version({ list: 'INTERNAL', version: '2-b' }),
    version({ list: 'INTERNAL', version: '1-c', tenant_id: 'tenant' }),
  ];
  const lists = new DatedLists(rows, AGES).at({ FATF: '1-a', PEP: '1-a', INTERNAL: '2-b+1-c', ONU: '9-z' }, day(60));
  expect(
    lists.map(({ list, isOwn, ageMs, maxAgeDays, isStale }) => [
      list,
      isOwn,
      ageMs && ageMs / DAY_SECONDS_MS,
      maxAgeDays,
      isStale,
    ]),
  ).toEqual([
    ['ONU', false, null, null, false],
    ['PEP', false, 60, null, false],
    ['FATF', false, 160, 150, true],
    ['INTERNAL', false, 60, null, false],
    ['INTERNAL', true, 60, null, false],
  ]);
  expect(oldestOf(lists)?.list).toBe('FATF');
});

it('between turning points nothing becomes stale', () => {
  const dated = new DatedLists([version({ checks: [day(0), day(20)] })], AGES);
  const points = dated.turningPoints();
  expect(points).toEqual([day(0), day(20), new Date(day(30).getTime() + 1), new Date(day(50).getTime() + 1)]);
  const stale = (at: Date) => dated.at({ OFAC: '1-a' }, at)[0]?.isStale;
  expect([stale(day(50)), stale(points[3] as Date)]).toEqual([false, true]);
});
