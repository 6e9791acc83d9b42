/** What an operator is told instead of an answer: one sentence of what is wrong, where, and what to do. */
export class OpsRefusal extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413 | 422 | 503,
    message: string,
  ) {
    super(message);
    this.name = 'OpsRefusal';
  }
}

/** The status and the sentence of an error that is meant to be told: a refusal, or a problem of the public API. */
export function toldAs(error: unknown): { status: number; error: string } | undefined {
  if (error instanceof OpsRefusal) return { status: error.status, error: error.message };
  const { status, detail } = error as { status?: unknown; detail?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 599 || typeof detail !== 'string') return undefined;
  return { status, error: detail };
}
