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

interface JoinedWords {
  compound: number;
  ids: readonly number[];
}

const NONE: readonly number[] = [];

function joinedNames({ joins }: NamePartition, { fold, compound }: TokenTraits): readonly number[] {
  const names: number[] = [];
  for (const key of [fold, compound]) if (key !== 0) joins.each(key, (name) => names.push(name));
  return names.length === 0 ? NONE : names;
}

/** The neighbours of the words that were asked for last, per list. */
export class NeighbourCache {
  private readonly cache: RecentMap<string, Neighbours>;
  private readonly ofJoins: RecentMap<number, JoinedWords>;
  /** Per word of the list: the last search that looked at it. */
  private readonly seen: Uint32Array;
  private searches = 0;

  constructor(
    private readonly index: ListIndex,
    size = 20_000,
  ) {
    this.cache = new RecentMap(size);
    this.ofJoins = new RecentMap(size);
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
    const cached = this.ofJoins.get(key);
    if (cached?.compound === compound) return cached.ids;
    const { words, wordKeys } = this.index.parts;
    const ids: number[] = [];
    const look = (id: number) => {
      const word = words[id] as TokenTraits;
      if (word.fold === key || (compound !== 0 && word.compound === compound)) ids.push(id);
    };
    wordKeys.each(key, look);
    if (compound !== 0) wordKeys.each(compound, look);
    this.ofJoins.set(key, { compound, ids });
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
