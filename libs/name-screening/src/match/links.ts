/** Links are few, but for names made to cost. */
const FEW = 24;

/**
 * What may be what in two names that are compared, by columns, and what was chosen of it. One comparison after the other uses the
 * same arrays: a search makes thousands of them.
 */
export class Links {
  count = 0;
  private capacity = 256;
  /** Place of the first word in the name of the query, and how many words it is. */
  query = new Uint8Array(this.capacity);
  querySpan = new Uint8Array(this.capacity);
  entry = new Uint8Array(this.capacity);
  entrySpan = new Uint8Array(this.capacity);
  similarity = new Float64Array(this.capacity);
  weight = new Float64Array(this.capacity);
  /** Links in the order of their gain, after `sort`. */
  order = new Uint32Array(this.capacity);

  chosenCount = 0;
  chosen = new Uint32Array(this.capacity);

  clear(): void {
    this.count = 0;
    this.chosenCount = 0;
  }

  add(query: number, querySpan: number, entry: number, entrySpan: number, similarity: number, weight: number): number {
    if (this.count === this.capacity) this.grow();
    const link = this.count++;
    this.query[link] = query;
    this.querySpan[link] = querySpan;
    this.entry[link] = entry;
    this.entrySpan[link] = entrySpan;
    this.similarity[link] = similarity;
    this.weight[link] = weight;
    return link;
  }

  choose(link: number): void {
    this.chosen[this.chosenCount++] = link;
  }

  /** What gains most first; among equals what stands in like places. The same whichever name is called the query. */
  sort(): void {
    const { count, order } = this;
    if (count > FEW) {
      for (let link = 0; link < count; link++) order[link] = link;
      order.subarray(0, count).sort((a, b) => this.compare(a, b));
      return;
    }
    for (let link = 0; link < count; link++) {
      let place = link;
      for (; place > 0 && this.compare(order[place - 1] as number, link) > 0; place--)
        order[place] = order[place - 1] as number;
      order[place] = link;
    }
  }

  /** The links chosen, in the order of the query's words. */
  sortChosen(): void {
    const { chosen, chosenCount, query } = this;
    for (let at = 1; at < chosenCount; at++) {
      const link = chosen[at] as number;
      let place = at;
      for (; place > 0 && (query[chosen[place - 1] as number] as number) > (query[link] as number); place--)
        chosen[place] = chosen[place - 1] as number;
      chosen[place] = link;
    }
  }

  private compare(a: number, b: number): number {
    const alikeA = this.similarity[a] as number;
    const alikeB = this.similarity[b] as number;
    const gained = alikeB * (this.weight[b] as number) - alikeA * (this.weight[a] as number) || alikeB - alikeA;
    return gained === 0 ? this.comparePlaces(a, b) : gained;
  }

  private comparePlaces(a: number, b: number): number {
    const queryA = this.query[a] as number;
    const queryB = this.query[b] as number;
    const entryA = this.entry[a] as number;
    const entryB = this.entry[b] as number;
    return (
      Math.abs(queryA - entryA) - Math.abs(queryB - entryB) ||
      queryA + entryA - (queryB + entryB) ||
      queryA - queryB ||
      a - b
    );
  }

  private grow(): void {
    this.capacity *= 4;
    this.query = grown(this.query, this.capacity);
    this.querySpan = grown(this.querySpan, this.capacity);
    this.entry = grown(this.entry, this.capacity);
    this.entrySpan = grown(this.entrySpan, this.capacity);
    this.similarity = grown(this.similarity, this.capacity);
    this.weight = grown(this.weight, this.capacity);
    this.order = grown(this.order, this.capacity);
    this.chosen = grown(this.chosen, this.capacity);
  }
}

function grown<T extends Uint8Array | Uint32Array | Float64Array>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length);
  longer.set(array);
  return longer;
}
