const TIMEOUT_MS = 30_000;

/** The server did not answer, or not with what it should: nothing is known about whether the request was carried out. */
export class Unreachable extends Error {}

/** An answer that is no success. */
export interface Refusal {
  status: number;
  /** The JSON of its body; an empty object when it has none. */
  document: unknown;
  /** From Retry-After; null when the server names none. */
  waitSeconds: number | null;
}

/** Whether operators have suspended the tenant: none of its credentials and links is accepted. */
export function isSuspended({ status, document }: Refusal): boolean {
  const { type } = document as { type?: unknown };
  return status === 403 && typeof type === 'string' && type.endsWith('/tenant-suspended');
}

export interface Answered<T> {
  answer: T;
  /** From the Date header; null when there is none. */
  serverTime: number | null;
}

interface JsonRequest {
  method: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Whether the request goes out even when the page is left. */
  keepalive?: boolean;
  /** What to throw for an answer that is no success. */
  errorOf: (refusal: Refusal) => Error;
}

/** Sends JSON to the page's own origin and reads JSON. Rejects with Unreachable, or with what `errorOf` makes of a refusal. */
export async function sendJson<T>(path: string, request: JsonRequest): Promise<Answered<T>> {
  const { method, headers, body, keepalive, errorOf } = request;
  const response = await fetchWithTimeout(path, {
    method,
    keepalive,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw errorOf(await refusalIn(response));
  try {
    const date = Date.parse(response.headers.get('Date') ?? '');
    const text = await response.text();
    return { answer: (text === '' ? undefined : JSON.parse(text)) as T, serverTime: Number.isNaN(date) ? null : date };
  } catch {
    throw new Unreachable('the answer was cut off');
  }
}

/** Rejects with Unreachable after 30 s without an answer, or by the signal of `init`. Reading a body that has not arrived `bodyMs` after the request rejects too. */
export async function fetchWithTimeout(
  target: string | Request,
  init: RequestInit = {},
  bodyMs = TIMEOUT_MS,
): Promise<Response> {
  const deadline = new AbortController();
  const abort = (): void => deadline.abort();
  const answered = setTimeout(abort, TIMEOUT_MS);
  setTimeout(abort, bodyMs); // runs on after the headers; without effect on a complete answer
  const signal = init.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal;
  try {
    return await fetch(target, { cache: 'no-store', ...init, credentials: 'same-origin', signal });
  } catch {
    throw new Unreachable('no answer'); // the browser's own message may hold the address, and with it a token
  } finally {
    clearTimeout(answered);
  }
}

export async function refusalIn(response: Response): Promise<Refusal> {
  return refusalOf(response, await response.json().catch(() => ({})));
}

/** The same where the body was read already. */
export function refusalOf(response: Response, document: unknown): Refusal {
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return { status: response.status, document: document ?? {}, waitSeconds: Number.isFinite(wait) ? wait : null };
}
