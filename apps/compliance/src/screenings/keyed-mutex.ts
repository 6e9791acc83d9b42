/** Runs work with the same key one after another within this process; work with different keys does not wait. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` once whatever came before it for this key has ended, well or badly. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}
