import { type ProblemDocument, Refused, Unreachable } from './failures.ts';
import type { Locale, OtpSent, SignBody, SignState } from './sign-state.ts';

const PATIENCE_MS = 30_000;

/** The public endpoints of one signer, on the page's own origin. Each rejects with Refused or Unreachable. */
export interface SignerApi {
  readonly documentPath: string;
  state(locale: Locale | null): Promise<SignState>;
  consent(locale: Locale, version: string): Promise<SignState>;
  sendOtp(): Promise<OtpSent>;
  verifyOtp(code: string): Promise<SignState>;
  accessCode(code: string): Promise<SignState>;
  sign(body: SignBody): Promise<SignState>;
  decline(reason: string): Promise<SignState>;
}

/** @param token from the page's path; it goes nowhere but into the paths of these requests */
export function signerApi(token: string): SignerApi {
  const home = `/v1/sign/${encodeURIComponent(token)}`;
  const post = <T>(path: string, body?: unknown): Promise<T> => request<T>(`${home}${path}`, 'POST', body);
  return {
    documentPath: `${home}/document`,
    state: (locale) => request(locale === null ? home : `${home}?locale=${locale}`, 'GET'),
    consent: (locale, version) => post('/consent', { accepted: true, locale, version }),
    sendOtp: () => post('/otp/send'),
    verifyOtp: (code) => post('/otp/verify', { code }),
    accessCode: (code) => post('/access-code', { code }),
    sign: (body) => post('/sign', body),
    decline: (reason) => post('/decline', { reason }),
  };
}

async function request<T>(path: string, method: string, body?: unknown): Promise<T> {
  const response = await fetchPatiently(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  if (!response.ok) throw await refusal(response);
  try {
    return (await response.json()) as T;
  } catch {
    throw new Unreachable('the answer was cut off');
  }
}

async function fetchPatiently(path: string, init: RequestInit): Promise<Response> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), PATIENCE_MS);
  try {
    return await fetch(path, { ...init, credentials: 'omit', cache: 'no-store', signal: waiting.signal });
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
