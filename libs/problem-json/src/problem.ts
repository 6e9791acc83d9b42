import { PROBLEMS, type ProblemSlug } from '@constancia/contracts';

/**
 * An error that a caller gets: an RFC 9457 problem. The slug decides status and title; `detail` is one English
 * sentence that says what to change; `members` are extension members; `headers` go out with the answer.
 */
export class Problem extends Error {
  readonly status: number;

  constructor(
    readonly slug: ProblemSlug,
    readonly detail: string,
    readonly members: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {},
    cause?: unknown,
  ) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.status = PROBLEMS[slug].status;
  }
}

/** What a problem document holds at most: characters, and errors. Names and values of the request may stand in it. */
export const PROBLEM_LIMITS = { detail: 2_000, pointer: 1_000, errors: 100 } as const;

/** What a problem document says besides the problem itself. `baseUrl` has no slash at its end. */
export interface ProblemContext {
  baseUrl: string;
  instance: string;
  requestId: string;
}

/**
 * The RFC 9457 document of a problem: type (`{baseUrl}/problems/{slug}`), title, status, detail, instance, request_id, then the
 * problem's own members, none of which can replace one of these.
 */
export function problemDocument(problem: Problem, context: ProblemContext): Record<string, unknown> {
  const document: Record<string, unknown> = {
    type: `${context.baseUrl}/problems/${problem.slug}`,
    title: PROBLEMS[problem.slug].title,
    status: problem.status,
    detail: bounded(problem.detail, PROBLEM_LIMITS.detail),
    instance: context.instance,
    request_id: context.requestId,
  };
  for (const [name, value] of Object.entries(problem.members)) {
    if (Object.hasOwn(document, name)) continue;
    document[name] = name === 'errors' && Array.isArray(value) ? boundedErrors(value) : value;
  }
  return document;
}

function boundedErrors(errors: unknown[]): unknown[] {
  return errors.slice(0, PROBLEM_LIMITS.errors).map((error) => {
    if (typeof error !== 'object' || error === null) return error;
    const { pointer, detail } = error as { pointer?: unknown; detail?: unknown };
    return {
      ...error,
      ...(typeof pointer === 'string' && { pointer: bounded(pointer, PROBLEM_LIMITS.pointer) }),
      ...(typeof detail === 'string' && { detail: bounded(detail, PROBLEM_LIMITS.detail) }),
    };
  });
}

/** A text that is too long ends with an ellipsis. */
function bounded(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
