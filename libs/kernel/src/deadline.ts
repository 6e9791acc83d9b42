/** A call ran out of time before it could say anything. */
export class DeadlinePassed extends Error {
  constructor() {
    super('The work did not end within its deadline.');
    this.name = 'DeadlinePassed';
  }
}

/** The time a call has left. Stages ask before they begin; none of them can be stopped half-way. */
export class Deadline {
  private readonly ends: number;

  constructor(ms: number) {
    this.ends = performance.now() + ms;
  }

  leftMs(): number {
    return this.ends - performance.now();
  }

  /** Whether a stage of about `costMs` still fits. */
  allows(costMs: number): boolean {
    return this.leftMs() >= costMs;
  }

  /** Throws DeadlinePassed when nothing is left. */
  check(): void {
    if (this.leftMs() <= 0) throw new DeadlinePassed();
  }
}
