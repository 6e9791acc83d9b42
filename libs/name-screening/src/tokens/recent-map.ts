/** A map that forgets what has not been used for long: between half of `size` and `size` entries are kept. */
export class RecentMap<T> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();

  constructor(private readonly size: number) {}

  get(key: string): T | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: T): void {
    if (this.young.size >= this.size / 2) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }
}
