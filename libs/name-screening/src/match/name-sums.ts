import type { NamePartition } from '../index/name-partition.ts';
import { ABBREVIATED, ONE_WORD } from './align-names.ts';
import { INITIAL_WEIGHT } from '../tokens/compared-name.ts';
import { upperBound } from './name-score.ts';
import type { PreparedForm } from './prepared-query.ts';

/** Weight of the heaviest word, and of the heaviest neighbours that are one word elsewhere. */
const HEAVIEST = 1;
export const JOINED_HEAVIEST = 3 * HEAVIEST;
/** Per name in the sums: likeness, weight of the query's words, weight of the name's words. */
const FIELDS = 3;
/** Why a name is looked at: a word; two neighbours of the query that are one of its words; two of its own that are one of the query's. */
export const QUERY_JOINED = 2;
export const ENTRY_JOINED = 4;
const JOINED = QUERY_JOINED | ENTRY_JOINED;
/** A word of the name that is like one of the query's: they are counted in the bits above the others. */
export const WORD = 8;

/** What a bound asks of a form of the query. */
export type WholeName = Pick<PreparedForm, 'mode' | 'minor' | 'abbreviations' | 'total' | 'wordCount'>;

/** What words that are not summed yet may come to. */
export interface WordsLeft {
  count: number;
  weight: number;
}
const NONE: WordsLeft = { count: 0, weight: 0 };

/** Sums per name of one partition, used again by the next search. */
export class NameSums {
  readonly marks: Uint16Array;
  readonly touched: Uint32Array;
  count = 0;
  private readonly sums: Float32Array;

  constructor(names: number) {
    this.sums = new Float32Array(names * FIELDS);
    this.marks = new Uint16Array(names);
    this.touched = new Uint32Array(names);
  }

  /** `mark` WORD, QUERY_JOINED or ENTRY_JOINED. */
  add(name: number, alike: number, weight: number, own: number, mark: number): void {
    const marks = this.marks[name] as number;
    if (marks === 0) this.touched[this.count++] = name;
    this.marks[name] = mark === WORD ? marks + WORD : marks | mark;
    const at = name * FIELDS;
    this.sums[at] = (this.sums[at] as number) + alike;
    this.sums[at + 1] = (this.sums[at + 1] as number) + weight;
    this.sums[at + 2] = (this.sums[at + 2] as number) + own;
  }

  /**
   * The most that comparing the name can give. Initials may stand for any word of the other side, which leaves a share of it. `left`:
   * words of the query that are not in the sums.
   */
  bound({ mode, columns }: NamePartition, form: PreparedForm, name: number, left = NONE): number {
    const at = name * FIELDS;
    const initials = columns.initials[name] as number;
    const either = INITIAL_WEIGHT * (form.abbreviations + initials) + form.minor;
    const alike = (this.sums[at] as number) + either + left.weight;
    const unmatched =
      form.total - (this.sums[at + 1] as number) - either - left.weight - ABBREVIATED * HEAVIEST * initials;
    const unmatchedOther =
      (columns.total[name] as number) -
      (this.sums[at + 2] as number) -
      either -
      HEAVIEST * left.count -
      ABBREVIATED * HEAVIEST * form.abbreviations;
    const most = upperBound(mode, alike, unmatched, unmatchedOther);
    const marks = this.marks[name] as number;
    const several = initials !== 0 || (marks & JOINED) !== 0 || Math.floor(marks / WORD) + left.count > 1;
    return several ? most : most * oneWord(form);
  }

  clear(): void {
    for (let nth = 0; nth < this.count; nth++) {
      const name = this.touched[nth] as number;
      const at = name * FIELDS;
      this.marks[name] = 0;
      this.sums[at] = 0;
      this.sums[at + 1] = 0;
      this.sums[at + 2] = 0;
    }
    this.count = 0;
  }
}

/** The most that names reach that have `left` alone in common with the query, without a letter for a word and without joined words. */
export function boundOfRest(form: WholeName, left: WordsLeft): number {
  const alike = left.weight + form.minor + INITIAL_WEIGHT * form.abbreviations;
  const most = upperBound(form.mode, alike, form.total - alike, 0);
  return left.count > 1 ? most : most * oneWord(form);
}

/** What is left of the score when one word at most agrees, and the query has another. */
const oneWord = ({ mode, wordCount, abbreviations }: WholeName) =>
  mode === 'person' && wordCount > 1 && abbreviations === 0 ? ONE_WORD : 1;
