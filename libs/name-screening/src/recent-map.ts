/** A map that forgets what has not been used for long: between half of `size` and `size` entries are kept. */
export class RecentMap<Key, T> {
  private young = new Map<Key, T>();
  private old = new Map<Key, T>();

  constructor(private readonly size: number) {}

  get(key: Key): T | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: T): void {
    if (this.young.size >= this.size / 2) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }
}
