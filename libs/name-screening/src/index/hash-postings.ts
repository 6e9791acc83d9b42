/**
 * From 32-bit keys to numbers, several per key: sorted into buckets by the high bits of the key. Three typed arrays, so that it is
 * written and read as it is. Keys that collide share their values: the caller checks the result.
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

  static build({ count, keys, values }: KeyedNumbers): HashPostings {
    const bits = Math.max(1, Math.ceil(Math.log2(count + 1)));
    const shift = 32 - bits;
    const starts = new Uint32Array((1 << bits) + 1);
    for (let nth = 0; nth < count; nth++) {
      const bucket = (keys[nth] as number) >>> shift;
      starts[bucket + 1] = (starts[bucket + 1] as number) + 1;
    }
    for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] as number) + (starts[at - 1] as number);
    const next = starts.slice();
    const sortedKeys = new Uint32Array(count);
    const sortedValues = new Uint32Array(count);
    for (let nth = 0; nth < count; nth++) {
      const key = keys[nth] as number;
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

/** Keys and their values in the order in which they came: what HashPostings are built from. There may be millions. */
export class KeyedNumbers {
  count = 0;
  keys = new Uint32Array(64);
  values = new Uint32Array(64);

  add(key: number, value: number): void {
    if (this.count === this.keys.length) {
      this.keys = doubled(this.keys);
      this.values = doubled(this.values);
    }
    this.keys[this.count] = key;
    this.values[this.count++] = value;
  }
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * numbers.length);
  longer.set(numbers);
  return longer;
}
