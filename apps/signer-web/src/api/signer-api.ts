import { type ProblemDocument, Refused, Unreachable } from './failures.ts';
import type { Locale, OtpSent, SignBody, SignState } from './sign-state.ts';

const PATIENCE_MS = 30_000;

/** The public endpoints of one signer, on the page's own origin. Each rejects with Refused or Unreachable. */
export interface SignerApi {
  readonly documentPath: string;
  /** A time of the server as a moment of this device (milliseconds since 1970), whose clock may be wrong. */
  localMoment(time: string): number;
  state(locale: Locale | null): Promise<SignState>;
  consent(locale: Locale, version: string): Promise<SignState>;
  /** @param locale of the mail */
  sendOtp(locale: Locale): Promise<OtpSent>;
  verifyOtp(code: string): Promise<SignState>;
  accessCode(code: string): Promise<SignState>;
  sign(body: SignBody): Promise<SignState>;
  decline(reason: string): Promise<SignState>;
  /** What was entered so far. Once sent it goes out, even when the page is left. */
  keepDraft(fields: Record<string, string | boolean>): Promise<void>;
  notMe(): Promise<void>;
  /** A link that has run out is renewed by mail. */
  newLink(): Promise<void>;
  /** The document, downloaded before, is now shown to a reader who has authenticated. */
  documentShown(): Promise<void>;
}

/** @param token from the page's path; it goes nowhere but into the paths of these requests */
export function signerApi(token: string): SignerApi {
  const home = `/v1/sign/${encodeURIComponent(token)}`;
  let aheadMs = 0;
  const request = async <T>(path: string, method: string, body?: unknown): Promise<T> => {
    const { answer, serverTime } = await ask<T>(path, method, body);
    if (serverTime !== null) aheadMs = aheadBy(serverTime, Date.now());
    return answer;
  };
  const post = <T>(path: string, body?: unknown): Promise<T> => request<T>(`${home}${path}`, 'POST', body);
  return {
    documentPath: `${home}/document`,
    localMoment: (time) => Date.parse(time) - aheadMs,
    state: (locale) => request(locale === null ? home : `${home}?locale=${locale}`, 'GET'),
    consent: (locale, version) => post('/consent', { accepted: true, locale, version }),
    sendOtp: (locale) => post('/otp/send', { locale }),
    verifyOtp: (code) => post('/otp/verify', { code }),
    accessCode: (code) => post('/access-code', { code }),
    sign: (body) => post('/sign', body),
    decline: (reason) => post('/decline', { reason }),
    keepDraft: (fields) => request(`${home}/draft`, 'PUT', { fields }),
    notMe: () => post('/not-me'),
    newLink: () => post('/new-link'),
    documentShown: async () => {
      const answer = await fetchPatiently(`${home}/document`, { method: 'GET', cache: 'no-cache' });
      await answer.body?.cancel();
    },
  };
}

/** Servers tell whole seconds, and answers travel: less than this is no wrong clock. */
const CLOCK_TOLERANCE_MS = 5_000;

function aheadBy(serverTime: number, now: number): number {
  const ahead = serverTime - now;
  return Math.abs(ahead) > CLOCK_TOLERANCE_MS ? ahead : 0;
}

interface Asked<T> {
  answer: T;
  /** From the Date header; null when there is none. */
  serverTime: number | null;
}

async function ask<T>(path: string, method: string, body?: unknown): Promise<Asked<T>> {
  const response = await fetchPatiently(path, {
    method,
    keepalive: method === 'PUT',
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  if (!response.ok) throw await refusal(response);
  try {
    const date = Date.parse(response.headers.get('Date') ?? '');
    const text = await response.text();
    return { answer: (text === '' ? undefined : JSON.parse(text)) as T, serverTime: Number.isNaN(date) ? null : date };
  } catch {
    throw new Unreachable('the answer was cut off');
  }
}

async function fetchPatiently(path: string, init: RequestInit): Promise<Response> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), PATIENCE_MS);
  try {
    return await fetch(path, {
      cache: 'no-store',
      ...init,
      credentials: 'same-origin', // the proof of authentication is a cookie of this link's own paths
      signal: waiting.signal,
    });
  } catch {
    throw new Unreachable('no answer'); // the browser's own message may hold the address, and with it the token
  } finally {
    clearTimeout(timer);
  }
}

/** What an answer that is no success means. A server in trouble is as good as one that is away. */
export async function refusal(response: Response): Promise<Refused | Unreachable> {
  if (response.status >= 500) return new Unreachable(`answered ${response.status}`);
  const problem = (await response.json().catch(() => ({}))) as ProblemDocument;
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new Refused(response.status, problem, Number.isFinite(wait) ? wait : null);
}
