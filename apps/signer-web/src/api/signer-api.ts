import { fetchWithTimeout, type Refusal, sendJson } from '@constancia/web';
import { failureOf } from './failures.ts';
import type {
  IdentityCheck,
  IdentityDocument,
  Locale,
  OtpChannel,
  OtpSent,
  SignBody,
  SignState,
} from './sign-state.ts';

/** The public endpoints of one signer, on the page's own origin. Each rejects with Refused or Unreachable. */
export interface SignerApi {
  /** The address of the document for a link; null in a frame, whose requests need more than an address. */
  readonly documentLink: string | null;
  /** The same for a copy of what was signed, before it is sealed. */
  readonly copyLink: string | null;
  /** The document, as it stands. */
  document(init: RequestInit): Promise<Response>;
  /** A copy of what was signed, marked as not final. */
  copy(init: RequestInit): Promise<Response>;
  /** A time of the server as a moment of this device (milliseconds since 1970), whose clock may be wrong. */
  localMoment(time: string): number;
  state(locale: Locale | null): Promise<SignState>;
  consent(locale: Locale, version: string): Promise<SignState>;
  /** @param locale of the mail or message */
  sendOtp(locale: Locale, method: OtpChannel['method']): Promise<OtpSent>;
  verifyOtp(code: string): Promise<SignState>;
  accessCode(code: string): Promise<SignState>;
  /** Starts to verify the signer's identity, or goes on with what this browser started. */
  startIdentity(document: IdentityDocument): Promise<IdentityCheck>;
  /** Rejects with 404 when this browser started none. */
  identity(): Promise<IdentityCheck>;
  completeIdentity(): Promise<SignState>;
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

/** What a frame sends in the place of cookies, and learns from answers. */
export interface FrameSecrets {
  headers(): Record<string, string>;
  learn(answer: unknown): void;
}

const WITH_COOKIES: FrameSecrets = { headers: () => ({}), learn: () => undefined };

/** @param token from the page's path; it goes nowhere but into the paths of these requests */
export const signerApi = (token: string): SignerApi => apiAt(`/v1/sign/${encodeURIComponent(token)}`, null);

/** The same below another path, for a frame. A session that the frame has lost is unknown. */
export const framedSignerApi = (home: string, secrets: FrameSecrets): SignerApi => apiAt(home, secrets);

function apiAt(home: string, frame: FrameSecrets | null): SignerApi {
  const secrets = frame ?? WITH_COOKIES;
  const errorOf = (refusal: Refusal) =>
    failureOf(frame !== null && refusal.status === UNAUTHORIZED ? { ...refusal, status: UNKNOWN } : refusal);
  let aheadMs = 0;
  const request = async <T>(path: string, method: string, body?: unknown): Promise<T> => {
    const keepalive = method === 'PUT';
    const { answer, serverTime } = await sendJson<T>(path, {
      method,
      body,
      keepalive,
      errorOf,
      headers: secrets.headers(),
    });
    secrets.learn(answer);
    if (serverTime !== null) aheadMs = aheadBy(serverTime, Date.now());
    return answer;
  };
  const post = <T>(path: string, body?: unknown): Promise<T> => request<T>(`${home}${path}`, 'POST', body);
  const file = (name: 'document' | 'copy', init: RequestInit): Promise<Response> =>
    fetch(`${home}/${name}`, { cache: 'no-cache', credentials: 'same-origin', headers: secrets.headers(), ...init });
  return {
    documentLink: frame === null ? `${home}/document` : null,
    copyLink: frame === null ? `${home}/copy` : null,
    document: (init) => file('document', init),
    copy: (init) => file('copy', init),
    localMoment: (time) => Date.parse(time) - aheadMs,
    state: (locale) => request(locale === null ? home : `${home}?locale=${locale}`, 'GET'),
    consent: (locale, version) => post('/consent', { accepted: true, locale, version }),
    sendOtp: (locale, method) => post('/otp/send', { locale, method }),
    verifyOtp: (code) => post('/otp/verify', { code }),
    accessCode: (code) => post('/access-code', { code }),
    startIdentity: (chosen) => post('/identity', chosen),
    identity: () => request(`${home}/identity`, 'GET'),
    completeIdentity: () => post('/identity/complete'),
    sign: (body) => post('/sign', body),
    decline: (reason) => post('/decline', { reason }),
    keepDraft: (fields) => request(`${home}/draft`, 'PUT', { fields }),
    notMe: () => post('/not-me'),
    newLink: () => post('/new-link'),
    documentShown: async () => {
      const init = { method: 'GET', cache: 'no-cache', headers: secrets.headers() } as const;
      const answer = await fetchWithTimeout(`${home}/document`, init);
      await answer.body?.cancel();
    },
  };
}

const UNAUTHORIZED = 401;
const UNKNOWN = 404;

/** Servers tell whole seconds, and answers travel: less than this is no wrong clock. */
const CLOCK_TOLERANCE_MS = 5_000;

function aheadBy(serverTime: number, now: number): number {
  const ahead = serverTime - now;
  return Math.abs(ahead) > CLOCK_TOLERANCE_MS ? ahead : 0;
}
