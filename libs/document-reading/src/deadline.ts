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

  /** A part of what is left, for one stage of several. */
  share(part: number): Deadline {
    return new Deadline(Math.max(0, this.leftMs() * part));
  }
}

/** A reading ran out of time before it could say anything. */
export class DeadlinePassed extends Error {
  constructor() {
    super('The reading did not end within its deadline.');
  }
}
