import { describe, expect, it } from 'vitest';
import type { EntryKind } from '../entry.ts';
import { buildIndex } from '../index/build-index.ts';
import { entryOf } from './entry.fixture.ts';
import { ListSet } from './list-set.ts';
import { type NamePair, OTHER, pairsOf, SAME } from './name-pairs.fixture.ts';
import { DEFAULT_THRESHOLD } from '../version.ts';

/** P person, O organization, M a person's name against the name of an organization. */
const KINDS: Record<string, { query: 'natural' | 'legal'; entry: EntryKind }> = {
  P: { query: 'natural', entry: 'person' },
  O: { query: 'legal', entry: 'organisation' },
  M: { query: 'natural', entry: 'organisation' },
};

function scoreOf({ kind, a, b }: NamePair): number {
  const { query, entry } = KINDS[kind] as (typeof KINDS)[string];
  const set = new ListSet([buildIndex('OFAC', [entryOf({ kind: entry, names: [b] })])]);
  return set.match({ fullName: a, kind: query }, { near: 0.3 }).hits[0]?.score ?? 0;
}

describe.each(Object.keys(SAME))('the same: %s', (why) => {
  it.each(pairsOf({ [why]: SAME[why] as string }))('$a is $b', (pair) => {
    expect(scoreOf(pair)).toBeGreaterThanOrEqual(DEFAULT_THRESHOLD);
  });
});

describe.each(Object.keys(OTHER))('others: %s', (why) => {
  it.each(pairsOf({ [why]: OTHER[why] as string }))('$a is not $b', (pair) => {
    expect(scoreOf(pair)).toBeLessThan(DEFAULT_THRESHOLD);
  });
});

describe('whichever name is asked for and whichever is listed', () => {
  it.each(pairsOf({ ...SAME, ...OTHER }).filter(({ kind }) => kind !== 'M'))('$a and $b score the same', (pair) => {
    expect(scoreOf({ ...pair, a: pair.b, b: pair.a })).toBe(scoreOf(pair));
  });
});
