interface Waiting {
  resolve: (free: boolean) => void;
  timer: NodeJS.Timeout;
}

/** At most `size` pieces of work at a time; the others wait in order. */
export class Slots {
  private free: number;
  private readonly line = new Set<Waiting>();

  constructor(size: number) {
    this.free = size;
  }

  /** Resolves to true with a slot, which must be given back, or to false when none became free in time. */
  take(deadlineMs: number): Promise<boolean> {
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.line.delete(waiting);
        resolve(false);
      }, deadlineMs);
      const waiting = { resolve, timer };
      this.line.add(waiting);
    });
  }

  giveBack(): void {
    const [next] = this.line;
    if (!next) {
      this.free += 1;
      return;
    }
    this.line.delete(next);
    clearTimeout(next.timer);
    next.resolve(true);
  }
}
