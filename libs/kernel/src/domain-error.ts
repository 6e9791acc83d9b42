/**
 * An error that has a meaning for callers of any kind, such as a balance that is too low: a stable code, details in members of the
 * subclass, and a sentence for the log. It knows no protocol: libs/http has the table of what each code becomes as an HTTP answer.
 */
export abstract class DomainError extends Error {
  /** snake_case, unique in the repository. */
  abstract readonly code: string;

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
  }
}
