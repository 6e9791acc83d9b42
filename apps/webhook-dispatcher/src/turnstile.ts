/** Lets a bounded number of tasks run at a time, in the order of their arrival. */
export class Turnstile {
  private readonly waiting: (() => void)[] = [];
  private inside = 0;

  constructor(private readonly limit: number) {}

  /** Runs the task as soon as there is room. */
  async pass<T>(task: () => Promise<T>): Promise<T> {
    if (this.inside >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.inside += 1;
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }
}
