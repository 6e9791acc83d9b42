/** What a process refused, or what went wrong on the way to it: said in a sentence with the next step. Exit code 1. */
export class Refused extends Error {
  constructor(
    message: string,
    /** What the process answered, when it did. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** The command was used wrongly: nothing was done. Exit code 2. */
export class WrongUse extends Error {}

/** Exit codes, as `npm run ops -- --help` and docs/guides/on-call.md list them. */
export const EXIT = { fine: 0, refused: 1, wrongUse: 2, faultFound: 3, interrupted: 130 } as const;
