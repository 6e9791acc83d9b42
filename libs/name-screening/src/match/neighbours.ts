import type { ListIndex } from '../index/list-index.ts';
import type { NameMode } from '../normalise/tokenise.ts';
import { RecentMap } from '../tokens/recent-map.ts';
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
}

/** The neighbours of the words that were asked for last, per list. */
export class NeighbourCache {
  private readonly cache: RecentMap<Neighbours>;
  /** Per word of the list: the last search that looked at it. */
  private readonly seen: Uint32Array;
  private searches = 0;

  constructor(
    private readonly index: ListIndex,
    size = 20_000,
  ) {
    this.cache = new RecentMap(size);
    this.seen = new Uint32Array(index.parts.words.length);
  }

  of(traits: TokenTraits, keys: readonly number[]): Neighbours {
    const cached = this.cache.get(traits.text);
    if (cached) return cached;
    const found = this.find(traits, keys);
    this.cache.set(traits.text, found);
    return found;
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
    return { ids, similarities: Float64Array.from(byId.values()), weights, byId, uses };
  }

  private nextSearch(): number {
    if (this.searches === 0xffffffff) {
      this.seen.fill(0);
      this.searches = 0;
    }
    return ++this.searches;
  }
}
