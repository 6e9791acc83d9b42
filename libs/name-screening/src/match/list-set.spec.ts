import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../entry.ts';
import { buildIndex } from '../index/build-index.ts';
import { entryOf } from './entry.fixture.ts';
import { ListSet } from './list-set.ts';
import type { ScreeningQuery } from './screening-query.ts';
import { DEFAULT_THRESHOLD } from '../version.ts';

const NAME = 'Arnulfo Chiquillo Tunjano';
const born = (from: string, to = from, circa = false) => [{ from, to, circa }];

function match(entries: ListEntry | ListEntry[], query: Partial<ScreeningQuery> & { fullName: string }) {
  return new ListSet([buildIndex('OFAC', [entries].flat())]).match(query);
}
const first = (entry: ListEntry, query: Partial<ScreeningQuery> & { fullName: string }) => match(entry, query).hits[0];

describe('what stands beside the name', () => {
  it('holds the score at 0.95 where there is nothing but the name', () => {
    const hit = first(entryOf(), { fullName: NAME });
    expect(hit).toMatchObject({
      score: 0.95,
      verdict: 'hit',
      evidence: { name: { score: 1 }, capped_by: 'names_only' },
    });
  });

  it('raises the score with the same birth date, and less with the same year, but never to 1', () => {
    const day = first(entryOf({ birthDates: born('1960-05-04') }), { fullName: NAME, birthDate: '1960-05-04' });
    const year = first(entryOf({ birthDates: born('1960-01-01', '1960-12-31') }), {
      fullName: NAME,
      birthDate: '1960-05-04',
    });
    expect(day).toMatchObject({ score: 0.99, evidence: { birth_date: { verdict: 'same_day', query: '1960-05-04' } } });
    expect(year).toMatchObject({ score: 0.97, evidence: { birth_date: { verdict: 'same_year' } } });
  });

  it('is no hit with another birth date, whatever the name', () => {
    const hit = first(entryOf({ birthDates: born('1960-05-04') }), { fullName: NAME, birthDate: '1983-01-09' });
    expect(hit).toMatchObject({
      verdict: 'near',
      evidence: { birth_date: { verdict: 'different' }, capped_by: 'birth_date_differs' },
    });
  });

  it.each([
    ['circa', born('1960-01-01', '1960-12-31', true), '1962-03-01', 'same_year'],
    ['a range of years', born('1955-01-01', '1965-12-31'), '1964-03-01', 'same_year'],
    ['the year after', born('1960-05-04'), '1961-05-04', 'close'],
    ['day and month swapped', born('1960-05-04'), '1960-04-05', 'close'],
    ['several dates, one of which fits', [...born('1940-01-01'), ...born('1961-05-04')], '1961-05-04', 'same_day'],
    ['two years after', born('1960-05-04'), '1962-05-04', 'different'],
  ])('reads birth dates: %s', (_, birthDates, birthDate, verdict) => {
    expect(first(entryOf({ birthDates }), { fullName: NAME, birthDate })?.evidence.birth_date.verdict).toBe(verdict);
  });

  it('changes little by the country', () => {
    const entry = entryOf({ countries: ['CO'], names: ['Arnulfo Chiquillo Tunjano Ipuana'] });
    const [same, none, other] = [['co'], [], ['FR']].map(
      (countries) => first(entry, { fullName: NAME, countries })?.score,
    ) as number[];
    expect(same).toBeCloseTo((none as number) + 0.01, 4);
    expect(other).toBeCloseTo((none as number) - 0.02, 4);
  });

  it('is no hit by a weak alias alone, but is one with the birth date', () => {
    const entry = entryOf({
      names: ['Rosalba Nemocon', { text: NAME, quality: 'weak' }],
      birthDates: born('1960-05-04'),
    });
    expect(first(entry, { fullName: NAME })).toMatchObject({
      verdict: 'near',
      matchedName: NAME,
      evidence: { capped_by: 'weak_alias' },
    });
    expect(first(entry, { fullName: NAME, birthDate: '1960-05-04' })).toMatchObject({
      verdict: 'hit',
      name: 'Rosalba Nemocon',
    });
  });

  it('is no hit when one is known to be a person and the other an organisation', () => {
    const entry = entryOf({ kind: 'organisation', names: ['Chiquillo Tunjano Ltda'] });
    expect(first(entry, { fullName: 'Chiquillo Tunjano', kind: 'natural' })).toMatchObject({
      verdict: 'near',
      evidence: { capped_by: 'kind_differs' },
    });
    expect(first(entry, { fullName: 'Chiquillo Tunjano SAS', kind: 'legal' })).toMatchObject({ verdict: 'hit' });
  });
});

describe('identifiers', () => {
  const listed = (type: string, number: string, country?: string) =>
    entryOf({ names: ['Somebody Else Entirely'], identifiers: [{ type, number, country }] });

  it.each([
    ['the same cédula', listed('CC', '79.123.456', 'CO'), { type: 'CC', country: 'CO', number: '79123456' }],
    [
      'a passport in another spelling',
      listed('PA', 'ab-123456', 'CO'),
      { type: 'PA', country: 'CO', number: 'AB123456' },
    ],
    [
      'a NIT with and without its check digit',
      listed('NIT', '800197268-4', 'CO'),
      { type: 'NIT', country: 'CO', number: '800197268' },
    ],
    [
      'a cédula that is the NIT of a person',
      listed('NIT', '79123456-0', 'CO'),
      { type: 'CC', country: 'CO', number: '79123456' },
    ],
    [
      'a number of a kind that only the source knows',
      listed('Cedula No.', '79123456', 'CO'),
      { type: 'CC', country: 'CO', number: '79123456' },
    ],
    ['a long number without a country', listed('CC', '79123456'), { type: 'CC', country: 'CO', number: '79123456' }],
  ])('score 1, whatever the name: %s', (_, entry, document) => {
    expect(first(entry, { fullName: NAME, documents: [document] })).toMatchObject({
      score: 1,
      verdict: 'hit',
      identifierMatched: true,
      evidence: { identifier: { verdict: 'same' } },
    });
  });

  it.each([
    ['another country', listed('CC', '79123456', 'VE'), { type: 'CC', country: 'CO', number: '79123456' }],
    ['another type', listed('PA', '79123456', 'CO'), { type: 'CC', country: 'CO', number: '79123456' }],
    ['a wrong check digit', listed('NIT', '79123456-8', 'CO'), { type: 'CC', country: 'CO', number: '79123456' }],
    ['a short number without a country', listed('CC', '1234'), { type: 'CC', country: 'CO', number: '1234' }],
  ])('do not match: %s', (_, entry, document) => {
    expect(match(entry, { fullName: NAME, documents: [document] }).hits).toEqual([]);
  });

  it('alone give 1: no two names, however equal, do', () => {
    const scores = [entryOf(), entryOf({ birthDates: born('1960-05-04'), countries: ['CO'] })].map(
      (entry) => first(entry, { fullName: NAME, birthDate: '1960-05-04', countries: ['CO'] })?.score as number,
    );
    expect(Math.max(...scores)).toBeLessThan(1);
  });
});

describe('what a person may type', () => {
  const entries = [entryOf(), entryOf({ id: 'corp', kind: 'organisation', names: ['ACME CORP', 'CORP'] })];
  it.each([
    ['nothing', '', ['name_empty']],
    ['spaces and signs', ' … \u0000\u0007 -- ', ['name_empty']],
    ['an organization form', 'S.A.S.', ['name_only_organisation_form']],
    ['organization forms as the name of a person', 'Ltda. S.A.', ['name_only_organisation_form']],
    ['a single letter', 'J.', ['name_too_short']],
    ['pictures', '\u{1F600}\u{1F44D}\u{1F3FD} \u2603 \u{1F1E8}\u{1F1F4}', ['name_empty']],
    ['10,000 characters', 'Arnulfo Chiquillo Tunjano '.repeat(400), ['name_truncated']],
    ['one word of 10,000 letters', 'x'.repeat(10_000), ['name_truncated']],
    ['a lone surrogate', '\ud800 Arnulfo', []],
    ['right-to-left marks', '\u202eArnulfo\u202c Chiquillo', []],
    ['signs that no script has', '\u{1F600}\u{10FFFF}', ['name_empty']],
  ])('gives an answer and says what it rests on: %s', (_, fullName, data) => {
    expect(match(entries, { fullName, kind: fullName === 'S.A.S.' ? 'legal' : 'natural' }).data).toEqual(data);
  });

  it('finds a name that is nothing but a form only by an equal one, and never as a hit', () => {
    const { hits, data } = match(entries, { fullName: 'Corp', kind: 'legal' });
    expect(data).toEqual(['name_only_organisation_form']);
    expect(hits).toMatchObject([
      { entryId: 'corp', matchedName: 'CORP', verdict: 'near', evidence: { capped_by: 'unmatchable_name' } },
    ]);
  });

  it('still finds an identifier when there is no name', () => {
    const entry = entryOf({ identifiers: [{ type: 'CC', country: 'CO', number: '79123456' }] });
    const { hits, data } = match(entry, {
      fullName: '',
      documents: [{ type: 'CC', country: 'CO', number: '79123456' }],
    });
    expect([hits[0]?.score, data]).toEqual([1, ['name_empty']]);
  });

  it('says that a birth date is no day', () => {
    expect(match(entryOf(), { fullName: NAME, birthDate: '1960-02-31' }).data).toEqual(['birth_date_invalid']);
  });

  it('sees through invisible characters, ligatures and full-width letters', () => {
    expect(first(entryOf(), { fullName: 'Ar\u200bnulfo  Ｃｈｉｑｕｉｌｌｏ\tTUNJANO' })?.score).toBe(0.95);
  });
});

describe('a set of lists', () => {
  it('answers with the best first, then in the order of the lists, then by id', () => {
    const set = new ListSet([
      buildIndex('PEP', [entryOf({ id: 'b' }), entryOf({ id: 'a' })]),
      buildIndex('OFAC', [entryOf({ id: 'z' }), entryOf({ id: 'y', names: ['Arnulfo Chiquilo Tunjano'] })]),
    ]);
    const found = set.match({ fullName: NAME }).hits;
    expect(found.map(({ list, entryId }) => `${list} ${entryId}`)).toEqual(['OFAC z', 'PEP a', 'PEP b', 'OFAC y']);
    expect(set.match({ fullName: NAME }, { limit: 2 }).hits).toEqual(found.slice(0, 2));
  });

  it('returns programmes and the office, and which words were found to be which', () => {
    const entry = entryOf({ programmes: ['SDNTK'], role: { title: 'Senator', until: '2025-07-20' } });
    const hit = first(entry, { fullName: 'Tunjano Arnulfo Chiquilo Perez' });
    expect(hit).toMatchObject({ programmes: ['SDNTK'], role: { title: 'Senator' } });
    expect(hit?.evidence.name.tokens).toEqual([
      { query: 'tunjano', entry: 'tunjano', similarity: 1 },
      { query: 'arnulfo', entry: 'arnulfo', similarity: 1 },
      { query: 'chiquilo', entry: 'chiquillo', similarity: expect.any(Number) as number },
      { query: 'perez', entry: null, similarity: 0 },
    ]);
  });

  it('lets the caller set the threshold and the near cut', () => {
    const set = new ListSet([buildIndex('OFAC', [entryOf()])]);
    expect(set.match({ fullName: NAME }, { threshold: 0.96 }).hits[0]?.verdict).toBe('near');
    expect(set.match({ fullName: NAME }, { threshold: 0.96, near: 0.955 }).hits).toEqual([]);
    expect(DEFAULT_THRESHOLD).toBeGreaterThan(0.75);
  });
});
