import {
  CONSENT_ROUTES,
  CONSENT_TOKEN,
  type ConsentApproval,
  type ConsentClaimView,
  type ConsentEnd,
  type ConsentState,
} from '@constancia/contracts/consent';
import { type Locale, type Refusal, sendJson } from '@constancia/web';
import { type PasskeyRequest, signWithPasskey } from '@constancia/web/passkeys';
import { failureOf } from './capture-api.ts';

type Text = Pick<ConsentApproval, 'version' | 'locale' | 'sha256'>;

/** A state, and when the request ends by the clock of this device, which may be wrong. */
export interface ReadState {
  state: ConsentState;
  endsAt: number;
}

/** A frame of an embed session, which has an access token instead of a cookie. */
interface FramePlace {
  /** The path of everything that the embed token reaches. */
  base: string;
  token: string;
  /** The access token no longer works. */
  onLost: () => void;
}

/**
 * A link and what its page asks of the server. The token stays in the address, and the nonce of the state in the memory of this object.
 * Everything rejects with Refused (404: nothing can be done with the link) or Unreachable.
 */
export class ConsentLink {
  private nonce = '';

  private constructor(
    private readonly path: string,
    private readonly headers: Record<string, string> = {},
    private readonly errorOf: (refusal: Refusal) => Error = failureOf,
  ) {}

  /** Null: no token. */
  static in(path: string): ConsentLink | null {
    const token = path.split('/')[2] ?? '';
    return CONSENT_TOKEN.test(token) ? new ConsentLink(`/consent/${token}/`) : null;
  }

  static framed({ base, token, onLost }: FramePlace): ConsentLink {
    return new ConsentLink(`${base}/consent/`, { authorization: `Bearer ${token}` }, (refusal) => {
      if (refusal.status === 401) onLost();
      return failureOf(refusal);
    });
  }

  state(locale: Locale): Promise<ReadState> {
    return this.read('GET', `${CONSENT_ROUTES.state}?locale=${locale}`);
  }

  /** @param identifier unless the code goes to the registered address */
  async sendCode(identifier?: string): Promise<void> {
    await this.post(CONSENT_ROUTES.sendCode, { ...(identifier !== undefined && { identifier }) });
  }

  /** 422: the code is wrong. */
  verifyCode(code: string): Promise<ReadState> {
    return this.read('POST', CONSENT_ROUTES.verifyCode, { code });
  }

  /** Rejects also with CeremonyFailed; 422: the passkey was not accepted. */
  async verifyPasskey(): Promise<ReadState> {
    const options = await this.post<PasskeyRequest>(CONSENT_ROUTES.passkeyOptions, {});
    return this.read('POST', CONSENT_ROUTES.passkey, { assertion: await signWithPasskey(options) });
  }

  approve(claims: ConsentClaimView['name'][], { version, locale, sha256 }: Text): Promise<ConsentEnd> {
    return this.post(CONSENT_ROUTES.approve, { claims, version, locale, sha256 });
  }

  decline(tell_tenant: boolean): Promise<ConsentEnd> {
    return this.post(CONSENT_ROUTES.decline, { tell_tenant });
  }

  report(): Promise<ConsentEnd> {
    return this.post(CONSENT_ROUTES.report, {});
  }

  private async post<Answer>(route: string, body: object): Promise<Answer> {
    return (await this.call<Answer>('POST', route, { ...body, nonce: this.nonce })).answer;
  }

  private async read(method: string, route: string, body?: object): Promise<ReadState> {
    const sent = body && { ...body, nonce: this.nonce };
    const { answer: state, serverTime } = await this.call<ConsentState>(method, route, sent);
    this.nonce = state.nonce;
    return { state, endsAt: Date.now() + Date.parse(state.expires_at) - (serverTime ?? Date.now()) };
  }

  private call<Answer>(method: string, route: string, body?: object) {
    const { headers, errorOf } = this;
    return sendJson<Answer>(`${this.path}${route}`, { method, headers, body, errorOf });
  }
}
