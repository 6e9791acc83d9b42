/** The time a reading has left. Stages ask before they begin; none of them can be stopped half-way. */
export class Deadline {
  readonly #ends: number;
  constructor(ms: number) {
    this.#ends = performance.now() + ms;
  }

  leftMs(): number {
    return this.#ends - performance.now();
  }

  /** Whether a stage of about `costMs` still fits. */
  allows(costMs: number): boolean {
    return this.leftMs() >= costMs;
  }
}

/** A reading ran out of time before it could say anything. */
export class DeadlinePassed extends Error {
  constructor() {
    super('The reading did not end within its deadline.');
  }
}
