interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** So few items are not divided: two small batches cost more than one. */
const UNDIVIDED = 16;

/**
 * Group commit: while one batch is under way, callers queue up and the next batch takes all of them. An idle coalescer
 * waits only for the end of the turn of the event loop; a busy one turns N round trips into one.
 *
 * A batch begins with setImmediate, so that all callers whom one answer lets go on, or whom one poll of the sockets brings, share
 * it. Otherwise the first of them would go alone and the others wait for its round trip. Many items are divided evenly among the
 * batches that may still begin: while the store works on one, the callers of another go on.
 *
 * `run` answers one result per item, in order; a rejected run rejects each of its callers. A batch holds `maxBatch` items and,
 * with `weight`, items of `maxWeight` together at most; an item that is heavier by itself goes alone.
 */
export class Coalescer<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private scheduled = false;

  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly options: {
      maxBatch: number;
      maxConcurrent?: number;
      weight?: (item: Item) => number;
      maxWeight?: number;
    },
  ) {}

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, weight: this.options.weight?.(item) ?? 0, resolve, reject });
      this.schedule();
    });
  }

  private get hasWork(): boolean {
    return this.waiting.length > 0 && this.running < (this.options.maxConcurrent ?? 1);
  }

  private schedule(): void {
    if (this.scheduled || !this.hasWork) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.pump();
    });
  }

  private pump(): void {
    while (this.hasWork) {
      const batch = this.waiting.splice(0, this.nextSize());
      this.running += 1;
      void this.execute(batch).finally(() => {
        this.running -= 1;
        this.schedule();
      });
    }
  }

  private nextSize(): number {
    const { maxBatch, maxConcurrent = 1, maxWeight = Infinity } = this.options;
    const share = Math.ceil(this.waiting.length / (maxConcurrent - this.running));
    const most = Math.min(maxBatch, Math.max(share, UNDIVIDED));
    let size = 0;
    let total = 0;
    for (const { weight } of this.waiting) {
      total += weight;
      if (size === most || (size > 0 && total > maxWeight)) break;
      size += 1;
    }
    return size;
  }

  private async execute(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map((entry) => entry.item));
      if (results.length !== batch.length) throw new Error('a batch answers one result per item');
      batch.forEach((entry, index) => entry.resolve(results[index] as Result));
    } catch (error) {
      batch.forEach((entry) => entry.reject(error));
    }
  }
}
