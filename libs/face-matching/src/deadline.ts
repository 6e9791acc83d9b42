/** A call ran out of time before it could say anything. */
export class DeadlinePassed extends Error {
  constructor() {
    super('The faces were not compared within the deadline.');
  }
}

/** The time a call has left. Stages ask before they begin; none of them can be stopped half-way. */
export class Deadline {
  readonly #ends: number;
  constructor(ms: number) {
    this.#ends = performance.now() + ms;
  }

  leftMs(): number {
    return this.#ends - performance.now();
  }

  /** Throws DeadlinePassed when nothing is left. */
  check(): void {
    if (this.leftMs() <= 0) throw new DeadlinePassed();
  }
}
