import type { ListEntry } from '../entry.ts';
import { jaroWinkler, plainWords, wordsAlike } from './name-measures.fixture.ts';

/** Two names, and whether they are of one person or organization. */
export interface LabelledPair {
  kind: 'person' | 'organisation';
  /** Of `a`; `b` is in the same one, or in Latin letters. */
  script: Script;
  a: string;
  b: string;
  same: boolean;
  /** Of one entry, and nobody would doubt it: the same words in some order, or joined, or one letter of many differs. */
  strong: boolean;
}

export type Script = 'latin' | 'cyrillic' | 'arabic' | 'east_asian' | 'hebrew';

const SCRIPTS: [Script, RegExp][] = [
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['east_asian', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u],
  ['hebrew', /\p{Script=Hebrew}/u],
  ['latin', /[a-z]/i],
];
/** Names of an entry that are taken, so that none with fifty spellings outweighs the others. */
const PER_ENTRY = 2;
/** Words as alike as this may be spellings of one. */
const SPELLING = 0.85;
/** The same across scripts, whose letters have several spellings each. */
const ALIKE_AT_ALL = 0.75;
const WITHOUT_VOWELS = new Set<Script>(['arabic', 'hebrew']);
/** Shorter words are particles, letters or short forms. */
const WORD_LETTERS = 3;
/** Others as alike as the nearest ones, of which one is taken. */
const NEAREST = 3;
/** Entries that share a word with the name, and are looked at: rare words first. */
const LOOKED_AT = 200;

/** A name of an entry as the pairs are made of it. */
interface Reading {
  entry: ListEntry;
  text: string;
  script: Script;
  words: string[];
}

/**
 * Pairs made of real lists, at most `most` per kind, script and label, the same for the same `random`. True ones are names of one entry
 * (no weak aliases), where each word of the shorter name has some counterpart in letters: a nom de guerre, an abbreviation or a translation
 * is beyond any comparison of names. False ones are among the names most alike of two entries that
 * differ for certain: people whose birth dates are years apart; organizations with separate entries on one list that lists each once.
 * Nothing here uses the matcher.
 */
export function labelledPairs(
  lists: readonly { entries: readonly ListEntry[]; eachOnce: boolean }[],
  random: () => number,
  most: number,
): LabelledPair[] {
  const taken = new Map<string, number>();
  const kept: LabelledPair[] = [];
  const keep = (pair: LabelledPair) => {
    const stratum = `${pair.kind} ${pair.script} ${pair.same}`;
    const count = taken.get(stratum) ?? 0;
    if (count === most) return;
    taken.set(stratum, count + 1);
    kept.push(pair);
  };
  for (const pair of shuffled(lists.flatMap(({ entries }) => entries), random).flatMap((entry) => truePairs(entry, random))) keep(pair); // prettier-ignore
  for (const list of lists) for (const pair of falsePairs(list.entries, list.eachOnce, random, most)) keep(pair);
  return kept;
}

/** Share of the true pairs of all names of an entry that are comparable. */
export function comparableShare(entries: readonly ListEntry[]): number {
  const pairs = entries.flatMap((entry) => combinations(readings(entry)));
  return pairs.filter(([a, b]) => isComparable(a, b)).length / pairs.length;
}

const known = new WeakMap<ListEntry, Reading[]>();

function readings(entry: ListEntry): Reading[] {
  const read = known.get(entry) ?? readNames(entry);
  known.set(entry, read);
  return read;
}

function readNames(entry: ListEntry): Reading[] {
  if (entry.kind === 'unknown') return [];
  return entry.names.flatMap(({ text, quality }) => {
    const script = quality === 'weak' ? null : scriptOf(text);
    const words = plainWords(text);
    const enough = script !== 'latin' || entry.kind !== 'person' || words.length > 1;
    return script !== null && words.length > 0 && enough ? [{ entry, text, script, words }] : [];
  });
}

/** Null: in none of them, or in several. */
function scriptOf(text: string): Script | null {
  const scripts = SCRIPTS.filter(([, form]) => form.test(text));
  return scripts.length === 1 ? (scripts[0] as [Script, RegExp])[0] : null;
}

const kindOf = ({ kind }: ListEntry) => (kind === 'person' ? 'person' : 'organisation');

function truePairs(entry: ListEntry, random: () => number): LabelledPair[] {
  const pairs = combinations(readings(entry)).filter(([a, b]) => isComparable(a, b));
  return shuffled(pairs, random)
    .slice(0, PER_ENTRY)
    .map(([a, b]) => ({
      kind: kindOf(entry),
      script: a.script,
      a: a.text,
      b: b.text,
      same: true,
      strong: isStrong(a, b),
    }));
}

/** Each two, the one that is not in Latin letters first. */
function combinations(names: readonly Reading[]): [Reading, Reading][] {
  const pairs: [Reading, Reading][] = [];
  for (const [nth, one] of names.entries())
    for (const other of names.slice(nth + 1)) {
      if (one.script === other.script || other.script === 'latin') pairs.push([one, other]);
      else if (one.script === 'latin') pairs.push([other, one]);
    }
  return pairs;
}

function isComparable(a: Reading, b: Reading): boolean {
  if (a.script === 'east_asian') return jaroWinkler(joined(a), joined(b)) >= ALIKE_AT_ALL;
  const bare = a.script !== b.script && WITHOUT_VOWELS.has(a.script);
  const letters = ({ words }: Reading) =>
    bare ? words.map(consonants) : words.filter(({ length }) => length >= WORD_LETTERS);
  const [short, long] = [letters(a), letters(b)].sort((one, other) => one.length - other.length) as [
    string[],
    string[],
  ];
  const least = a.script === b.script ? SPELLING : ALIKE_AT_ALL;
  const met = short.every((word) => word === '' || long.some((other) => jaroWinkler(word, other) >= least));
  return short.length > 0 && (met || joined(a) === joined(b));
}

const consonants = (word: string) => word.replaceAll(/[^bcdfghjklmnpqrstvxz]/g, '').replaceAll(/(.)\1/g, '$1');

const joined = ({ words }: Reading) => words.join('');
const sorted = ({ words }: Reading) => [...words].sort().join(' ');

function isStrong(a: Reading, b: Reading): boolean {
  if (a.script !== b.script) return false;
  if (joined(a) === joined(b) || sorted(a) === sorted(b)) return true;
  // Another letter of Hangul is another syllable.
  if (a.script === 'east_asian' || a.words.length !== b.words.length || joined(a).length < 10) return false;
  const others = a.words.flatMap((word, nth) =>
    word === b.words[nth] ? [] : [[word, b.words[nth] as string] as const],
  );
  const [other] = others;
  return (
    others.length === 1 && other !== undefined && Math.min(other[0].length, other[1].length) > 4 && oneEdit(...other)
  );
}

function oneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return short.slice(at + (short.length === long.length ? 1 : 0)) === long.slice(at + 1);
}

/** Names of other entries that are nearest to names of these, one for each. */
function falsePairs(
  entries: readonly ListEntry[],
  eachOnce: boolean,
  random: () => number,
  most: number,
): LabelledPair[] {
  const names = entries.flatMap((entry) => readings(entry));
  const byWord = new Map<string, Reading[]>();
  for (const name of names)
    for (const word of new Set(name.words)) {
      const having = byWord.get(word);
      if (having) having.push(name);
      else byWord.set(word, [name]);
    }
  const count = new Map<string, number>();
  return shuffled(entries, random).flatMap((entry): LabelledPair[] => {
    const own = readings(entry);
    const other = own.filter(({ script }) => script !== 'latin');
    const asked = one(other.length > 0 ? other : own, random);
    const spelled = one(
      own.filter(({ script }) => script === 'latin'),
      random,
    );
    if (!asked || !spelled) return [];
    const stratum = `${kindOf(entry)} ${asked.script}`;
    if ((count.get(stratum) ?? 0) >= most) return [];
    const near = one(nearest(spelled, byWord, eachOnce), random);
    if (!near) return [];
    count.set(stratum, (count.get(stratum) ?? 0) + 1);
    return [{ kind: kindOf(entry), script: asked.script, a: asked.text, b: near.text, same: false, strong: false }];
  });
}

function nearest(name: Reading, byWord: ReadonlyMap<string, readonly Reading[]>, eachOnce: boolean): Reading[] {
  const words = [...new Set(name.words)].map((word) => byWord.get(word) ?? []).sort((a, b) => a.length - b.length);
  const seen = new Set(words.flat().slice(0, LOOKED_AT));
  const others = [...seen].filter((other) => other.script === 'latin' && differ(name.entry, other.entry, eachOnce));
  return others
    .filter((other) => sorted(other) !== sorted(name) && joined(other) !== joined(name))
    .map((other) => ({ other, alike: wordsAlike(name.words, other.words) }))
    .sort((a, b) => b.alike - a.alike)
    .slice(0, NEAREST)
    .map(({ other }) => other);
}

/** For certain two: without a name, number or birth date in common. */
function differ(a: ListEntry, b: ListEntry, eachOnce: boolean): boolean {
  if (a === b || kindOf(a) !== kindOf(b)) return false;
  const names = new Set(readings(a).map(sorted));
  if (readings(b).some((name) => names.has(sorted(name)))) return false;
  if (a.identifiers.some(({ number }) => b.identifiers.some((other) => other.number === number))) return false;
  return a.kind === 'person' ? bornApart(a, b) : eachOnce;
}

function bornApart({ birthDates: a }: ListEntry, { birthDates: b }: ListEntry): boolean {
  const year = (day: string) => Number(day.slice(0, 4));
  const apart = a.every((one) =>
    b.every((other) => year(one.from) > year(other.to) + 3 || year(one.to) < year(other.from) - 3),
  );
  return a.length > 0 && b.length > 0 && apart;
}

function one<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
