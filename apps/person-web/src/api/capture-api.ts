import {
  CAPTURE_ROUTES,
  type CaptureChallenge,
  type CaptureClaim,
  type CapturedPicture,
  type CaptureHandover,
  type CaptureInput,
  type CaptureKind,
  type CaptureState,
} from '@constancia/contracts/capture';
import { fetchWithTimeout, isSuspended, type Refusal, refusalIn, sendJson, Unreachable } from '@constancia/web';

/** The server refused. A server error counts as unavailable, and is an Unreachable. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    /** From Retry-After; null when the server names none. */
    readonly waitSeconds: number | null,
    /** The tenant is suspended: the link works again once it is not. */
    readonly suspended: boolean,
  ) {
    super(`refused with ${status}`);
  }
}

/** What the page asks of the server. Each rejects with Refused or Unreachable. */
export interface CaptureApi {
  state(): Promise<CaptureState>;
  /** This device takes the session; with the link of a handover, its own token takes the place of the link's. */
  claim(): Promise<CaptureState>;
  /** @returns what advance names the picture by */
  sendPicture(kind: CaptureKind, picture: Blob): Promise<string>;
  /** @param key the same when the same input is sent again */
  advance(input: CaptureInput, key: string): Promise<CaptureState>;
  /** Asks for a verification that the person keeps. */
  askForKept(): Promise<CaptureState>;
  challenge(): Promise<CaptureChallenge>;
  handover(): Promise<CaptureHandover>;
}

/** Where the page has its token: in its address, or, inside the page of a tenant, in a message. */
export interface TokenPlace {
  read(): string;
  replace(token: string): void;
}

/** On the page's own origin, or below `base` of it. */
export function captureApi(token: TokenPlace, base = ''): CaptureApi {
  const credential = (): Record<string, string> => ({ authorization: `Bearer ${token.read()}` });
  const call = async <Answer>(method: string, route: string, body?: unknown, headers = {}): Promise<Answer> => {
    const request = { method, body, headers: { ...credential(), ...headers }, errorOf: failureOf };
    return (await sendJson<Answer>(`${base}${route}`, request)).answer;
  };
  return {
    state: () => call('GET', CAPTURE_ROUTES.state),
    claim: async () => {
      const claim = await call<CaptureClaim>('POST', CAPTURE_ROUTES.claim, {});
      if (claim.token !== null) token.replace(claim.token);
      return claim.state;
    },
    sendPicture: async (kind, picture) => {
      const response = await fetchWithTimeout(`${base}${CAPTURE_ROUTES.pictures}?kind=${kind}`, {
        method: 'POST',
        headers: { ...credential(), 'Content-Type': picture.type },
        body: picture,
      });
      if (!response.ok) throw failureOf(await refusalIn(response));
      return ((await response.json()) as CapturedPicture).stored_uri;
    },
    advance: (input, key) => call('POST', CAPTURE_ROUTES.advance, { input }, { 'Idempotency-Key': key }),
    askForKept: () => call('POST', CAPTURE_ROUTES.reuse, {}),
    challenge: () => call('POST', CAPTURE_ROUTES.challenge, {}),
    handover: () => call('POST', CAPTURE_ROUTES.handover, {}),
  };
}

/** What an answer that is no success means. */
export function failureOf(refusal: Refusal): Refused | Unreachable {
  const { status, waitSeconds } = refusal;
  if (status >= 500) return new Unreachable(`answered ${status}`);
  return new Refused(status, waitSeconds, isSuspended(refusal));
}
