/** Something that the person at the keyboard can mend: one sentence that says what is wrong and what to do. */
export class LaunchError extends Error {
  /** @param {string} message @param {{ exitCode?: number }} [options] */
  constructor(message, { exitCode = 1 } = {}) {
    super(message);
    this.exitCode = exitCode;
  }
}
