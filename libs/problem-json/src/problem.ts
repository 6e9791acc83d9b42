import { PROBLEMS, type ProblemSlug } from '@constancia/contracts';

/**
 * An error that a caller is told about: an RFC 9457 problem. The slug decides status and title; `detail` is one English
 * sentence that says what to change; `members` are extension members; `headers` go out with the answer.
 */
export class Problem extends Error {
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly detail: string;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    slug: ProblemSlug,
    detail: string,
    members: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    cause?: unknown,
  ) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.slug = slug;
    this.status = PROBLEMS[slug].status;
    this.detail = detail;
    this.members = members;
    this.headers = headers;
  }
}

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
    detail: problem.detail,
    instance: context.instance,
    request_id: context.requestId,
  };
  for (const [name, value] of Object.entries(problem.members)) {
    if (!Object.hasOwn(document, name)) document[name] = value;
  }
  return document;
}
