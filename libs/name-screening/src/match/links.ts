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
    for (let link = 0; link < count; link++) order[link] = link;
    if (count > FEW) order.subarray(0, count).sort((a, b) => this.compare(a, b));
    else insertionSort(order, count, (a, b) => this.compare(a, b));
  }

  /** The links chosen, in the order of the query's words. */
  sortChosen(): void {
    insertionSort(this.chosen, this.chosenCount, (a, b) => (this.query[a] as number) - (this.query[b] as number));
  }

  private compare(a: number, b: number): number {
    const [queryA, queryB] = [this.query[a] as number, this.query[b] as number];
    const [entryA, entryB] = [this.entry[a] as number, this.entry[b] as number];
    const [alikeA, alikeB] = [this.similarity[a] as number, this.similarity[b] as number];
    return (
      alikeB * (this.weight[b] as number) - alikeA * (this.weight[a] as number) ||
      alikeB - alikeA ||
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

/** Stable; for few. */
function insertionSort(array: Uint32Array, count: number, compare: (a: number, b: number) => number): void {
  for (let at = 1; at < count; at++) {
    const value = array[at] as number;
    let place = at;
    while (place > 0 && compare(array[place - 1] as number, value) > 0) {
      array[place] = array[place - 1] as number;
      place -= 1;
    }
    array[place] = value;
  }
}
