import type { ListIndex } from '../index/list-index.ts';
import type { NamePartition } from '../index/name-partition.ts';
import type { NameMode } from '../normalise/tokenise.ts';
import type { Join } from '../tokens/compared-name.ts';
import { RecentMap } from '../recent-map.ts';
import { similarity } from '../tokens/token-similarity.ts';
import type { TokenTraits } from '../tokens/token-traits.ts';

/** Words of a list that are like a word, with the similarity of each. */
export interface Neighbours {
  readonly ids: Uint32Array;
  readonly similarities: Float64Array;
  /** Their own weights: beside the ids, as the words themselves lie all over the heap. */
  readonly weights: Readonly<Record<NameMode, Float64Array>>;
  readonly byId: ReadonlyMap<number, number>;
  /** How often names have one of them. */
  readonly uses: Readonly<Record<NameMode, number>>;
  /** Names of which two neighbours, written as one, are the word. */
  readonly joined: Readonly<Record<NameMode, readonly number[]>>;
}

const NONE: readonly number[] = [];

function joinedNames({ joins }: NamePartition, { fold, compound }: TokenTraits): readonly number[] {
  const names: number[] = [];
  for (const key of [fold, compound]) if (key !== 0) joins.each(key, (name) => names.push(name));
  return names.length === 0 ? NONE : names;
}

/** Whether some word of a list may have a key as its spelling or compound: one bit for each, of 16 per word. False is certain. */
class KeyFilter {
  private readonly bits: Uint32Array;
  private readonly shift: number;

  constructor(words: readonly TokenTraits[]) {
    const size = Math.max(5, Math.ceil(Math.log2(16 * words.length + 1)));
    this.shift = 32 - size;
    this.bits = new Uint32Array(1 << (size - 5));
    for (const { fold, compound } of words) {
      this.add(fold);
      if (compound !== 0) this.add(compound);
    }
  }

  mayHave(key: number): boolean {
    const bit = key >>> this.shift;
    return ((this.bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
  }

  private add(key: number): void {
    const bit = key >>> this.shift;
    this.bits[bit >>> 5] = (this.bits[bit >>> 5] as number) | (1 << (bit & 31));
  }
}

/** The neighbours of the words that were asked for last, per list. */
export class NeighbourCache {
  private readonly cache: RecentMap<string, Neighbours>;
  private readonly compounds: KeyFilter;
  /** Per word of the list: the last search that looked at it. */
  private readonly seen: Uint32Array;
  private searches = 0;

  constructor(
    private readonly index: ListIndex,
    size = 20_000,
  ) {
    this.cache = new RecentMap(size);
    this.compounds = new KeyFilter(index.parts.words);
    this.seen = new Uint32Array(index.parts.words.length);
  }

  of(traits: TokenTraits, keys: readonly number[]): Neighbours {
    const cached = this.cache.get(traits.text);
    if (cached) return cached;
    const found = this.find(traits, keys);
    this.cache.set(traits.text, found);
    return found;
  }

  /** Words of the list that are two neighbours of the query, written as one. */
  ofJoin({ key, compound }: Pick<Join, 'key' | 'compound'>): readonly number[] {
    const { compounds } = this;
    if (!compounds.mayHave(key) && (compound === 0 || !compounds.mayHave(compound))) return NONE;
    const { words, wordKeys } = this.index.parts;
    const ids: number[] = [];
    const look = (id: number) => {
      const word = words[id] as TokenTraits;
      if (word.fold === key || (compound !== 0 && word.compound === compound)) ids.push(id);
    };
    wordKeys.each(key, look);
    if (compound !== 0) wordKeys.each(compound, look);
    return ids;
  }

  private find(traits: TokenTraits, keys: readonly number[]): Neighbours {
    const { words, wordKeys, person, organisation } = this.index.parts;
    const byId = new Map<number, number>();
    const uses = { person: 0, organisation: 0 };
    const search = this.nextSearch();
    const look = (id: number) => {
      if (this.seen[id] === search) return;
      this.seen[id] = search;
      const value = similarity(traits, words[id] as TokenTraits);
      if (value === 0) return;
      byId.set(id, value);
      uses.person += person.postingCount(id);
      uses.organisation += organisation.postingCount(id);
    };
    for (const key of keys) wordKeys.each(key, look);
    const ids = Uint32Array.from(byId.keys());
    const weights = {
      person: Float64Array.from(ids, (id) => (words[id] as TokenTraits).personWeight),
      organisation: Float64Array.from(ids, (id) => (words[id] as TokenTraits).organisationWeight),
    };
    const joined = { person: joinedNames(person, traits), organisation: joinedNames(organisation, traits) };
    return { ids, similarities: Float64Array.from(byId.values()), weights, byId, uses, joined };
  }

  private nextSearch(): number {
    if (this.searches === 0xffffffff) {
      this.seen.fill(0);
      this.searches = 0;
    }
    return ++this.searches;
  }
}
