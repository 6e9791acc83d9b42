import { OPENID_ROUTES, type OpenIdEnd, type OpenIdState } from '@constancia/contracts/openid';
import { type Locale, sendJson } from '@constancia/web';
import { type PasskeyRequest, signWithPasskey } from '@constancia/web/passkeys';
import { failureOf } from './capture-api.ts';

/** A state, and when the request ends by the clock of this device, which may be wrong. */
export interface ReadSignIn {
  state: OpenIdState;
  endsAt: number;
}

/**
 * A sign-in and what its page asks of the server. The token stays in the address, and the nonce of the state in the memory of this object.
 * Everything rejects with Refused (404: nothing can be done with the link) or Unreachable.
 */
export class SignInLink {
  private nonce = '';

  constructor(private readonly path: string) {}

  async state(locale: Locale): Promise<ReadSignIn> {
    const { answer: state, serverTime } = await this.call<OpenIdState>(
      'GET',
      `${OPENID_ROUTES.state}?locale=${locale}`,
    );
    this.nonce = state.nonce;
    return { state, endsAt: Date.now() + Date.parse(state.expires_at) - (serverTime ?? Date.now()) };
  }

  /** Answers the challenge that belongs to the code. */
  async sendCode(identifier: string): Promise<string> {
    return (await this.post<{ challenge_id: string }>(OPENID_ROUTES.sendCode, { identifier })).challenge_id;
  }

  /** 422: the code is wrong. */
  verifyCode(challenge_id: string, code: string): Promise<OpenIdEnd> {
    return this.post(OPENID_ROUTES.verifyCode, { challenge_id, code });
  }

  /** Rejects also with CeremonyFailed; 422: the passkey was not accepted. */
  async verifyPasskey(): Promise<OpenIdEnd> {
    const options = await this.post<PasskeyRequest>(OPENID_ROUTES.passkeyOptions, {});
    return this.post(OPENID_ROUTES.passkey, { assertion: await signWithPasskey(options) });
  }

  agree(text: OpenIdState['text']): Promise<OpenIdEnd> {
    const shown = text === null ? {} : { version: text.version, locale: text.locale, sha256: text.sha256 };
    return this.post(OPENID_ROUTES.agree, shown);
  }

  refuse(): Promise<OpenIdEnd> {
    return this.post(OPENID_ROUTES.refuse, {});
  }

  private async post<Answer>(route: string, body: object): Promise<Answer> {
    return (await this.call<Answer>('POST', route, { ...body, nonce: this.nonce })).answer;
  }

  private call<Answer>(method: string, route: string, body?: object) {
    return sendJson<Answer>(`${this.path}${route}`, { method, body, errorOf: failureOf });
  }
}
