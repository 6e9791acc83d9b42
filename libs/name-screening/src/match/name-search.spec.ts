import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../entry.ts';
import { buildIndex } from '../index/build-index.ts';
import { ListIndex } from '../index/list-index.ts';
import { entryOf } from './entry.fixture.ts';
import { KNOWN_NAMES, NICKNAMES } from '../tokens/known-names.ts';
import { ListSet } from './list-set.ts';
import { OTHER, pairsOf, SAME } from './name-pairs.fixture.ts';
import { NameSearch } from './name-search.ts';
import { prepareQuery } from './prepared-query.ts';
import { tokenKeys } from '../tokens/token-keys.ts';
import { similarity } from '../tokens/token-similarity.ts';
import { traitsOf } from '../tokens/token-traits.ts';

const NAMES = pairsOf({ ...SAME, ...OTHER }).flatMap(({ kind, a, b }) => [
  { kind: 'person' as const, text: a },
  { kind: kind === 'P' ? ('person' as const) : ('organisation' as const), text: b },
]);
const WORDS = [...new Set(NAMES.flatMap(({ text }) => text.split(/\s+/)))];
const ENTRIES: ListEntry[] = NAMES.map(({ kind, text }, nth) => entryOf({ id: `entry-${nth}`, kind, names: [text] }));
const INDEX = buildIndex('OFAC', ENTRIES);

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...WORDS)
      .chain((text) => fc.nat(text.length).map((at) => text.slice(0, at) + text.slice(at + 1))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...'abcdefghjkmnprstvz').map((letter) => letter) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
);
const names = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));

describe('the search', () => {
  it.each([0.5, 0.68, 0.75, 0.9])('finds from %d on what comparing every name finds', { timeout: 60_000 }, (cut) => {
    const search = new NameSearch(INDEX);
    fc.assert(
      fc.property(names, (fullName) => {
        const prepared = prepareQuery({ fullName });
        const [quick, force] = [new Set<string>(), new Set<string>()];
        search.each(prepared, cut, (name, { score }, { mode }) => quick.add(`${mode} ${name} ${score}`));
        search.eachByForce(prepared, cut, (name, { score }, { mode }) => force.add(`${mode} ${name} ${score}`));
        expect([...quick].sort()).toEqual([...force].sort());
      }),
      { numRuns: 60 },
    );
  });
});

describe('a match', { timeout: 30_000 }, () => {
  const set = new ListSet([INDEX]);

  it('is the same each time, and as JSON', () => {
    fc.assert(
      fc.property(names, (fullName) => {
        const result = set.match({ fullName });
        expect(JSON.stringify(new ListSet([INDEX]).match({ fullName }))).toBe(JSON.stringify(result));
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same from an index that was stored and read', () => {
    const read = new ListSet([ListIndex.read(INDEX.serialise())]);
    fc.assert(
      fc.property(names, (fullName) => {
        expect(JSON.stringify(read.match({ fullName }))).toBe(JSON.stringify(set.match({ fullName })));
      }),
      { numRuns: 100 },
    );
  });

  it('of an entry does not depend on what else is on the list', () => {
    fc.assert(
      fc.property(names, fc.nat(ENTRIES.length - 1), (fullName, nth) => {
        const entry = ENTRIES[nth] as ListEntry;
        const alone = new ListSet([buildIndex('OFAC', [entry])]).match({ fullName }).hits;
        expect(alone).toEqual(set.match({ fullName }).hits.filter(({ entryId }) => entryId === entry.id));
      }),
      { numRuns: 150 },
    );
  });

  it('scores between 0 and 0.99 without an identifier', () => {
    fc.assert(
      fc.property(names, (fullName) => {
        for (const { score } of set.match({ fullName }, { near: 0 }).hits) expect(score >= 0 && score < 1).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('two words', { timeout: 30_000 }, () => {
  const latin = fc.oneof(
    fc.constantFrom(...WORDS).map((text) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '') || 'x'),
    fc.stringMatching(/^[a-z]{1,14}$/),
  );
  const edited = latin.chain((text) =>
    fc.tuple(fc.nat(text.length), fc.nat(text.length), fc.constantFrom('', 'a', 'k')).map(([one, two, letter]) => {
      const once = text.slice(0, one) + letter + text.slice(one + (letter === '' ? 1 : 0));
      return [text, once.slice(0, two) + once.slice(two + 1) || 'x'] as const;
    }),
  );

  it('are as alike one way as the other, and share a key if they are alike at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(latin, latin), edited), ([one, two]) => {
        const [a, b] = [traitsOf(one), traitsOf(two)];
        const alike = similarity(a, b);
        expect(similarity(b, a)).toBe(alike);
        const keys = new Set(tokenKeys(a));
        if (alike > 0) expect(tokenKeys(b).some((key) => keys.has(key))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are so for every pair of the names that the tables know', () => {
    const known = [...Object.values(KNOWN_NAMES), NICKNAMES].join(' ').split(/[\s=]+/);
    const words = [...new Set(known)].filter((word) => word !== '').map(traitsOf);
    const keys = words.map((word) => tokenKeys(word));
    const uneven: string[] = [];
    words.forEach((a, one) =>
      words.slice(0, one).forEach((b, other) => {
        const alike = similarity(a, b);
        const shared = alike === 0 || keys[one]?.some((key) => keys[other]?.includes(key));
        if (alike !== similarity(b, a) || !shared) uneven.push(`${a.text} ${b.text}`);
      }),
    );
    expect(words.length).toBeGreaterThan(1_500);
    expect(uneven).toEqual([]);
  });
});
