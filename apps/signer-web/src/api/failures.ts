import { isSuspended, type Refusal, refusalIn, Unreachable } from '@constancia/web';

/** The server refused, with a problem document (RFC 9457). */
export class Refused extends Error {
  /** Of a wrong code: how many tries are left; 0 means locked. */
  readonly attemptsLeft: number | undefined;
  /** Of a code that was not accepted: wrong, locked or expired. */
  readonly reason: string | undefined;
  /** When a lock ends by itself; by the server's clock. */
  readonly lockedUntil: string | undefined;
  /** The keys of the fields that were not accepted. */
  readonly fieldKeys: readonly string[];

  constructor(
    readonly status: number,
    problem: ProblemDocument,
    /** From Retry-After; null when the server names none. */
    readonly waitSeconds: number | null,
    /** The sender is suspended: the link works again once it is not. */
    readonly suspended: boolean,
  ) {
    super(`refused with ${status}`);
    this.attemptsLeft = problem.attempts_left;
    this.reason = problem.reason;
    this.lockedUntil = problem.locked_until;
    this.fieldKeys = (problem.errors ?? []).flatMap(({ pointer }) => {
      const [, key] = /^\/fields\/([^/]+)/.exec(pointer) ?? [];
      return key === undefined ? [] : [key.replaceAll('~1', '/').replaceAll('~0', '~')];
    });
  }
}

interface ProblemDocument {
  attempts_left?: number;
  reason?: string;
  locked_until?: string;
  errors?: { pointer: string }[];
}

/** What an answer that is no success means. A server error counts as unavailable. */
export function failureOf(refusal: Refusal): Refused | Unreachable {
  const { status, document, waitSeconds } = refusal;
  if (status >= 500) return new Unreachable(`answered ${status}`);
  return new Refused(status, document as ProblemDocument, waitSeconds, isSuspended(refusal));
}

export const failureIn = async (response: Response): Promise<Refused | Unreachable> =>
  failureOf(await refusalIn(response));
