import type { NameMode, TokenRole } from '../normalise/tokenise.ts';
import { HashPostings } from './hash-postings.ts';

export const ROLES: readonly TokenRole[] = ['word', 'minor', 'form', 'initial'];
export const SCRIPTS = ['plain', 'han', 'romanised'] as const;
export const QUALITIES = ['primary', 'strong', 'weak'] as const;

/** The names of one list that are read in one mode, by columns. Lists per name or word are flat, with the starts beside them. */
export interface NameColumns {
  /** Per name: position of its entry. */
  entry: Uint32Array;
  /** Per name: which of the entry's names. */
  ordinal: Uint16Array;
  quality: Uint8Array;
  script: Uint8Array;
  /** Weight of all its words. */
  total: Float32Array;
  /** Letters that may stand for a word. */
  initials: Uint8Array;
  tokenStarts: Uint32Array;
  tokens: Uint32Array;
  roles: Uint8Array;
  /** Per word of the vocabulary: the names that have it as a word. */
  postingStarts: Uint32Array;
  postings: Uint32Array;
}

export class NamePartition {
  /** The same as `postings`, of the names with letters that may stand for a word alone. */
  readonly abbreviated: { starts: Uint32Array; names: Uint32Array };

  constructor(
    readonly mode: NameMode,
    readonly columns: NameColumns,
    /** From two neighbouring words written as one (folded) to names. */
    readonly joins: HashPostings,
    /** Names that have no word at all, by their whole text. */
    readonly wordless: HashPostings,
  ) {
    this.abbreviated = abbreviatedNames(columns);
  }

  get size(): number {
    return this.columns.entry.length;
  }

  /** Names that have this word. */
  namesWith(word: number): Uint32Array {
    const { postingStarts, postings } = this.columns;
    return postings.subarray(postingStarts[word], postingStarts[word + 1]);
  }

  postingCount(word: number): number {
    const { postingStarts } = this.columns;
    return (postingStarts[word + 1] as number) - (postingStarts[word] as number);
  }

  /** `{prefix}.{column}` → array, for storing. */
  arrays(prefix: string): Record<string, Uint8Array | Uint16Array | Uint32Array | Float32Array> {
    const named = Object.entries(this.columns).map(([column, array]) => [`${prefix}.${column}`, array] as const);
    return {
      ...Object.fromEntries(named),
      ...postingArrays(`${prefix}.joins`, this.joins),
      ...postingArrays(`${prefix}.wordless`, this.wordless),
    };
  }
}

function abbreviatedNames({ postingStarts, postings, initials }: NameColumns): NamePartition['abbreviated'] {
  const starts = new Uint32Array(postingStarts.length);
  const names = postings.filter((name) => initials[name] !== 0);
  let count = 0;
  for (let word = 0; word + 1 < postingStarts.length; word++) {
    const end = postingStarts[word + 1] as number;
    for (let at = postingStarts[word] as number; at < end; at++) if (initials[postings[at] as number] !== 0) count += 1;
    starts[word + 1] = count;
  }
  return { starts, names };
}

export function postingArrays(name: string, postings: HashPostings): Record<string, Uint32Array> {
  const [starts, keys, values] = postings.arrays;
  return { [`${name}.starts`]: starts, [`${name}.keys`]: keys, [`${name}.values`]: values };
}
