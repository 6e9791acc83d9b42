import type { OpsRequest, Query } from '@constancia/operations';
import { type Refusal, sendJson } from '@constancia/web';

/** What the process refused, in its own sentence; '' when it gave none. */
export class OpsError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface OpsIndex {
  operator: { name: string };
  actions: { method: string; path: string }[];
}

/** An operator at the ops port that this page came from. The token is kept in memory only: reloading the page forgets it. */
export class OpsSession {
  private constructor(
    private readonly headers: Record<string, string>,
    private readonly index: OpsIndex,
  ) {}

  /** Tries the token. @throws OpsError, Unreachable */
  static async signIn(token: string, operator: string): Promise<OpsSession> {
    const headers = { authorization: `Bearer ${token}`, ...(operator && { 'x-operator': operator }) };
    return new OpsSession(headers, await send<OpsIndex>(headers, { method: 'GET', path: '/ops' }));
  }

  get operator(): string {
    return this.index.operator.name;
  }

  /** Whether the process behind this page answers this path: each module shows what is its own. */
  offers(path: string): boolean {
    return this.index.actions.some((action) => action.method === 'GET' && action.path === path);
  }

  /** @throws OpsError, Unreachable */
  send<Answer>(request: OpsRequest<Answer>): Promise<Answer> {
    return send<Answer>(this.headers, request);
  }
}

async function send<Answer>(
  headers: Record<string, string>,
  { method, path, query, body }: Pick<OpsRequest<Answer>, 'method' | 'path' | 'query' | 'body'>,
): Promise<Answer> {
  return (await sendJson<Answer>(`${path}${queryText(query)}`, { method, headers, body, errorOf })).answer;
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function errorOf({ status, document }: Refusal): OpsError {
  const { error } = document as { error?: unknown };
  return new OpsError(status, typeof error === 'string' ? error : '');
}
