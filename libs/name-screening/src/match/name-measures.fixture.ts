import anyAscii from 'any-ascii';
import { buildIndex } from '../index/build-index.ts';
import { entryOf } from './entry.fixture.ts';
import type { LabelledPair } from './labelled-names.fixture.ts';
import { ListSet } from './list-set.ts';

/** How often a threshold is right about labelled pairs. */
export interface Measured {
  f1: number;
  precision: number;
  recall: number;
}

export function measure(pairs: readonly LabelledPair[], scores: readonly number[], threshold: number): Measured {
  const said = pairs.filter((_, nth) => (scores[nth] as number) >= threshold);
  const right = said.filter(({ same }) => same).length;
  const precision = right / Math.max(1, said.length);
  const recall = right / Math.max(1, pairs.filter(({ same }) => same).length);
  return { f1: (2 * precision * recall) / Math.max(Number.EPSILON, precision + recall), precision, recall };
}

/** What the matcher says of a pair, `b` being listed alone and `a` asked for. */
export function scoreOf({ kind, a, b }: LabelledPair): number {
  const set = new ListSet([buildIndex('OFAC', [entryOf({ kind, names: [b] })])]);
  return set.match({ fullName: a, kind: kind === 'person' ? 'natural' : 'legal' }, { near: 0 }).hits[0]?.score ?? 0;
}

export const plainWords = (text: string): string[] =>
  anyAscii(text.normalize('NFKC'))
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];

/** How alike two names are by their words alone, 0 to 1: each word by the most like one of the other name, both ways, by letters. */
export function wordsAlike(a: readonly string[], b: readonly string[]): number {
  const best = (words: readonly string[], others: readonly string[]) =>
    words.reduce((sum, word) => sum + word.length * Math.max(...others.map((other) => jaroWinkler(word, other))), 0);
  const letters = [...a, ...b].reduce((sum, word) => sum + word.length, 0);
  return a.length === 0 || b.length === 0 ? 0 : (best(a, b) + best(b, a)) / letters;
}

/** Jaro's similarity, raised by Winkler for equal beginnings of up to four letters. */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return 1;
  const window = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const used = new Set<number>();
  const matched: string[] = [];
  for (let at = 0; at < a.length; at++)
    for (let place = Math.max(0, at - window); place < Math.min(b.length, at + window + 1); place++) {
      if (a[at] !== b[place] || used.has(place)) continue;
      used.add(place);
      matched.push(a[at] as string);
      break;
    }
  if (matched.length === 0) return 0;
  const order = [...used].sort((one, other) => one - other);
  const swapped = order.filter((place, nth) => b[place] !== matched[nth]).length / 2;
  const jaro =
    (matched.length / a.length + matched.length / b.length + (matched.length - swapped) / matched.length) / 3;
  let same = 0;
  while (same < Math.min(4, a.length, b.length) && a[same] === b[same]) same++;
  return jaro + same * 0.1 * (1 - jaro);
}
