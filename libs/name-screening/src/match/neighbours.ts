import type { ListIndex } from '../index/list-index.ts';
import { RecentMap } from './recent-map.ts';
import { similarity } from './token-similarity.ts';
import type { TokenTraits } from './token-traits.ts';

/** Words of a list that are like a word, with the similarity of each. */
export interface Neighbours {
  readonly ids: readonly number[];
  readonly similarities: readonly number[];
  readonly byId: ReadonlyMap<number, number>;
}

/** The neighbours of the words that were asked for last, per list. */
export class NeighbourCache {
  private readonly cache: RecentMap<Neighbours>;

  constructor(
    private readonly index: ListIndex,
    size = 20_000,
  ) {
    this.cache = new RecentMap(size);
  }

  of(traits: TokenTraits, keys: readonly number[]): Neighbours {
    const cached = this.cache.get(traits.text);
    if (cached) return cached;
    const found = findNeighbours(this.index, traits, keys);
    this.cache.set(traits.text, found);
    return found;
  }
}

function findNeighbours({ parts }: ListIndex, traits: TokenTraits, keys: readonly number[]): Neighbours {
  const byId = new Map<number, number>();
  for (const key of keys)
    parts.wordKeys.each(key, (id) => {
      if (!byId.has(id)) byId.set(id, similarity(traits, parts.words[id] as TokenTraits));
    });
  for (const [id, value] of byId) if (value === 0) byId.delete(id);
  return { ids: [...byId.keys()], similarities: [...byId.values()], byId };
}
