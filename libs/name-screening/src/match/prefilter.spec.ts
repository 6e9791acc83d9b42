import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../entry.ts';
import { buildIndex } from '../index/build-index.ts';
import { ListSet } from './list-set.ts';
import { Prefilter } from './prefilter.ts';

const entry = (id: string, text: string, more: Partial<ListEntry> = {}): ListEntry => ({
  id,
  kind: 'person',
  names: [{ text, quality: 'primary' }],
  birthDates: [],
  countries: [],
  identifiers: [],
  programmes: [],
  ...more,
});

/** All that can be said for a name beside the name itself. */
const BORN = { birthDates: [{ from: '1980-02-03', to: '1980-02-03', circa: false }], countries: ['CO'] };
const WORDS = 'maria,mario,abd,al,rahman,abdurrahman,de,la,cruz,delacruz,jose,j,li,wei,liwei,muhammad,mhmd,van,der,berg,corp,s.a.s.,petrov,petroff,王'.split(','); // prettier-ignore
const name = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));

describe('a quick no', () => {
  it('is never said of a query that matches', () => {
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 5, maxLength: 5 }),
        fc.boolean(),
        (listed, queries, company) => {
          const kind = company ? 'organisation' : 'person';
          const set = new ListSet([
            buildIndex(
              'ONU',
              listed.map((text, nth) => entry(String(nth), text, { kind, ...BORN })),
            ),
          ]);
          const quick = new Prefilter(set);
          for (const fullName of queries) {
            const query = { fullName, birthDate: '1980-02-03', countries: ['CO'] };
            if (set.match(query).hits.length > 0) expect(quick.mayMatch(query), fullName).toBe(true);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  }, 60_000);

  const part = fc.array(fc.constantFrom(...'anna,ll,sh,kh,q,ks,ou,ie,y,j,ck,f,m,r,br,o,i,e,u,tsch,w,c,plant'.split(',')), {
    minLength: 1,
    maxLength: 3,
  }).map((letters) => letters.join('')); // prettier-ignore

  it('is never said of a name that is written in more words or in fewer', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), fc.nat(), fc.boolean(), (parts, seed, company) => {
        const kind = company ? 'organisation' : 'person';
        const apart = parts.map((text, nth) => text + ((seed >> nth) & 1 ? ' ' : '')).join('');
        const listed = parts.map((text, nth) => text + ((seed >> (nth + 4)) & 1 ? ' ' : '')).join('');
        const set = new ListSet([buildIndex('ONU', [entry('1', `${listed} gomez`, { kind, ...BORN })])]);
        const query = { fullName: `${apart} gomez`, birthDate: '1980-02-03', countries: ['CO'] };
        if (set.match(query).hits.length > 0)
          expect(new Prefilter(set).mayMatch(query), `${listed}: ${apart}`).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  }, 60_000);

  it('is said where words come near names of several entries, and too few near one', () => {
    const set = new ListSet([
      buildIndex('ONU', [entry('1', 'Luis Petrov Orlov'), entry('2', 'Zapata Abd al-Rahman Karim')]),
    ]);
    expect(new Prefilter(set).mayMatch({ fullName: 'Luis Zapata Cifuentes' })).toBe(false);
  });

  it('is said of most that do not', () => {
    const set = new ListSet([buildIndex('ONU', [entry('1', 'Abd al-Rahman Petrov')])]);
    const quick = new Prefilter(set);
    const others = ['María Fernanda Gómez', 'Luis Zapata', 'Comercializadora Andina S.A.S.', 'Abdul Zapata Cifuentes'];
    for (const fullName of others) {
      expect(quick.mayMatch({ fullName }), fullName).toBe(false);
    }
    expect(quick.mayMatch({ fullName: 'Abdul Rahman Petroff' })).toBe(true);
  });

  it('is not said of one who has a document that is listed', () => {
    const identifiers = [{ type: 'CC', country: 'CO', number: '1000000001' }];
    const quick = new Prefilter(new ListSet([buildIndex('ONU', [entry('1', 'Abd al-Rahman', { identifiers })])]));
    const query = { fullName: 'Luis Zapata', documents: [{ type: 'CC', country: 'CO', number: '1.000.000.001' }] };
    expect(quick.mayMatch(query)).toBe(true);
  });
});
