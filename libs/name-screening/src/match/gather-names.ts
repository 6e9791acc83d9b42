import type { NamePartition } from '../index/name-partition.ts';
import { type Join, weightOfSpan } from '../tokens/compared-name.ts';
import { type TokenTraits, weightIn } from '../tokens/token-traits.ts';
import {
  boundOfRest,
  ENTRY_JOINED,
  JOINED_HEAVIEST,
  type NameSums,
  QUERY_JOINED,
  WORD,
  type WordsLeft,
} from './name-sums.ts';
import type { Neighbours } from './neighbours.ts';
import type { PreparedForm } from './prepared-query.ts';

/** A word of the query as one list knows it. */
interface SearchedWord {
  weight: number;
  times: number;
  /** Weight of all the times that the query has it. */
  all: number;
  near: Neighbours;
}

/** One form of the query as it is searched in one partition. */
export interface FormSearch {
  partition: NamePartition;
  /** Of the list. */
  words: readonly TokenTraits[];
  form: PreparedForm;
  /** Per token of the form; null for what is no word. */
  near: readonly (Neighbours | null)[];
  /** Per join of the form: the words of the list that it is. */
  joined: readonly (readonly number[])[];
  sums: NameSums;
  /** Bounds below this are not looked at. */
  least: number;
  /** Words of which only names with initials have the sums, and all that they may add. */
  rest: readonly SearchedWord[];
  left: WordsLeft;
}

/** Looking up the words of one candidate takes as long as adding a word to the sums of so many names. */
const NAMES_PER_CANDIDATE = 20;

/**
 * Sums per name, rare words first. Once the words that are left cannot reach the cut by themselves they make no new candidates, but
 * among names in which a letter may stand for a word. To the others they are added here when few names have them, else by mayReach.
 */
export function gather(search: FormSearch): void {
  gatherJoins(search);
  const words = wordsByUses(search);
  const { partition, form, least, left, sums } = search;
  let adding = 0;
  for (; adding < words.length && boundOfRest(form, left) >= least; adding++) {
    const word = words[adding] as SearchedWord;
    gatherWord(search, word, partition.columns.postingStarts, partition.columns.postings);
    left.count -= word.times;
    left.weight -= word.all;
  }
  if (adding === words.length) return;
  const rest = words.slice(adding);
  let uses = 0;
  for (const word of rest) {
    gatherWord(search, word, partition.abbreviated.starts, partition.abbreviated.names);
    uses += word.near.uses[partition.mode];
  }
  if (uses > sums.count * NAMES_PER_CANDIDATE) {
    search.rest = rest;
    return;
  }
  for (const word of rest) gatherKnown(search, word);
  left.count = 0;
  left.weight = 0;
}

/** The words that some name has, rare ones first, all of them in `left`. */
function wordsByUses({ partition: { mode }, form, near, left }: FormSearch): SearchedWord[] {
  const words: SearchedWord[] = [];
  for (const { at, times, weight } of form.distinct) {
    const neighbours = near[at] as Neighbours;
    const uses = neighbours.uses[mode];
    if (uses === 0) continue;
    left.count += times;
    left.weight += weight;
    const word = { weight: form.tokens[at]?.weight ?? 0, times, all: weight, near: neighbours };
    let place = words.push(word) - 1;
    for (; place > 0 && (words[place - 1] as SearchedWord).near.uses[mode] > uses; place--)
      words[place] = words[place - 1] as SearchedWord;
    words[place] = word;
  }
  return words;
}

function gatherWord(
  { partition: { mode }, sums }: FormSearch,
  { weight, near: { ids, similarities, weights } }: SearchedWord,
  starts: Uint32Array,
  names: Uint32Array,
): void {
  const owns = weights[mode];
  for (let nth = 0; nth < ids.length; nth++) {
    const id = ids[nth] as number;
    const end = starts[id + 1] as number;
    let place = starts[id] as number;
    if (place === end) continue;
    const own = owns[nth] as number;
    const alike = (similarities[nth] as number) * Math.min(weight, own);
    for (; place < end; place++) sums.add(names[place] as number, alike, weight, own, WORD);
  }
}

/** Adds a word to the sums of names that have some already. Names with initials had theirs. */
function gatherKnown(
  { partition: { mode, columns }, sums }: FormSearch,
  { weight, near: { ids, similarities, weights } }: SearchedWord,
): void {
  const { postingStarts, postings, initials } = columns;
  for (let nth = 0; nth < ids.length; nth++) {
    const id = ids[nth] as number;
    const own = weights[mode][nth] as number;
    const alike = (similarities[nth] as number) * Math.min(weight, own);
    const end = postingStarts[id + 1] as number;
    for (let place = postingStarts[id] as number; place < end; place++) {
      const name = postings[place] as number;
      if (sums.marks[name] !== 0 && initials[name] === 0) sums.add(name, alike, weight, own, WORD);
    }
  }
}

function gatherJoins({ partition, words, form, near, joined, sums }: FormSearch): void {
  const { mode, columns } = partition;
  for (let at = 0; at < near.length; at++) {
    const names = near[at]?.joined[mode];
    if (names === undefined || names.length === 0) continue;
    const weight = form.tokens[at]?.weight ?? 0;
    for (const name of names) sums.add(name, weight, weight, JOINED_HEAVIEST, ENTRY_JOINED);
  }
  const { postingStarts, postings } = columns;
  for (let nth = 0; nth < joined.length; nth++)
    for (const id of joined[nth] as readonly number[]) {
      const weight = weightOfSpan(form, form.joins[nth] as Join);
      const own = weightIn(mode, words[id] as TokenTraits);
      const end = postingStarts[id + 1] as number;
      for (let place = postingStarts[id] as number; place < end; place++)
        sums.add(postings[place] as number, Math.min(weight, own), weight, own, QUERY_JOINED);
    }
}

/** Whether comparing the name may reach the cut: first with the most that the rest may add, then with what it does add. */
export function mayReach({ partition, words, form, sums, least, rest, left }: FormSearch, name: number): boolean {
  if (rest.length === 0 || partition.columns.initials[name] !== 0) return sums.bound(partition, form, name) >= least;
  if (sums.bound(partition, form, name, left) < least) return false;
  const { tokens, tokenStarts, roles } = partition.columns;
  const end = tokenStarts[name + 1] as number;
  for (let at = tokenStarts[name] as number; at < end; at++) {
    const id = tokens[at] as number;
    if (roles[at] !== 0) continue;
    for (const { weight, near } of rest) {
      const similarity = near.byId.get(id);
      if (similarity === undefined) continue;
      const own = weightIn(partition.mode, words[id] as TokenTraits);
      sums.add(name, similarity * Math.min(weight, own), weight, own, WORD);
    }
  }
  return sums.bound(partition, form, name) >= least;
}
