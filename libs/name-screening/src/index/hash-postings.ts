/**
 * From 32-bit keys to numbers, several per key: sorted into buckets by the high bits of the key. Three typed arrays, so that it is
 * written and read as it is. Keys that collide share their values: whoever asks checks what comes.
 */
export class HashPostings {
  private readonly shift: number;

  constructor(
    private readonly starts: Uint32Array,
    private readonly keys: Uint32Array,
    private readonly values: Uint32Array,
  ) {
    this.shift = 32 - Math.log2(starts.length - 1);
  }

  static build(keys: readonly number[], values: readonly number[]): HashPostings {
    const bits = Math.max(1, Math.ceil(Math.log2(keys.length + 1)));
    const shift = 32 - bits;
    const starts = new Uint32Array((1 << bits) + 1);
    for (const key of keys) starts[(key >>> shift) + 1] = (starts[(key >>> shift) + 1] as number) + 1;
    for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] as number) + (starts[at - 1] as number);
    const next = starts.slice();
    const sortedKeys = new Uint32Array(keys.length);
    const sortedValues = new Uint32Array(keys.length);
    for (const [nth, key] of keys.entries()) {
      const place = next[key >>> shift] as number;
      next[key >>> shift] = place + 1;
      sortedKeys[place] = key;
      sortedValues[place] = values[nth] as number;
    }
    return new HashPostings(starts, sortedKeys, sortedValues);
  }

  /** Calls back with every value of the key. */
  each(key: number, found: (value: number) => void): void {
    const bucket = key >>> this.shift;
    const end = this.starts[bucket + 1] as number;
    for (let at = this.starts[bucket] as number; at < end; at++)
      if (this.keys[at] === key) found(this.values[at] as number);
  }

  /** In the order of the constructor. */
  get arrays(): [Uint32Array, Uint32Array, Uint32Array] {
    return [this.starts, this.keys, this.values];
  }
}
