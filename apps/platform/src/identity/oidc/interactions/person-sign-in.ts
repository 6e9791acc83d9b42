import { NotFound, Unauthorized, UnprocessableEntity } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { WalletPasskeys } from '../../wallet/passkeys/wallet-passkeys.ts';
import { WalletSessions } from '../../wallet/sessions/wallet-sessions.ts';
import { type OpenIdBearer, OpenIdLinks } from './openid-links.ts';

type Opened = Awaited<ReturnType<WalletSessions['open']>>;

/** How a person signs in on the page: as they do to their wallet, with nothing of it that lasts. */
@Injectable()
export class PersonSignIn {
  constructor(
    private readonly links: OpenIdLinks,
    private readonly sessions: WalletSessions,
    private readonly passkeys: WalletPasskeys,
  ) {}

  /** The same for every address. */
  async sendCode(bearer: OpenIdBearer, identifier: string): Promise<string> {
    requireSignIn(bearer);
    return (await this.sessions.start(identifier)).challengeId;
  }

  /** Answers where the browser goes on. Throws UnprocessableEntity for a wrong code, RateLimitExceeded after five. */
  async verifyCode(bearer: OpenIdBearer, challengeId: string, code: string): Promise<string> {
    requireSignIn(bearer);
    return this.onward(bearer, 'code', await this.sessions.open(challengeId, code).catch(refused));
  }

  options(bearer: OpenIdBearer): Promise<PublicKeyCredentialRequestOptionsJSON> {
    requireSignIn(bearer);
    return this.passkeys.signInOptions();
  }

  /** The same. Throws UnprocessableEntity, the same whatever was wrong. */
  async verifyPasskey(bearer: OpenIdBearer, response: AuthenticationResponseJSON): Promise<string> {
    requireSignIn(bearer);
    return this.onward(bearer, 'passkey', await this.passkeys.openSession(response).catch(refused));
  }

  private async onward(bearer: OpenIdBearer, method: 'code' | 'passkey', opened: Opened): Promise<string> {
    const { walletId, sessionId } = opened;
    await this.sessions.end(walletId, sessionId);
    return this.links.onward(bearer, { kind: 'sign_in', walletId, method });
  }
}

function requireSignIn({ interaction }: OpenIdBearer): void {
  if (interaction.prompt.name !== 'login') throw new NotFound();
}

/** A page has no credential that could be missing: 422, as the page of a consent says it. */
function refused(error: unknown): never {
  throw error instanceof Unauthorized ? new UnprocessableEntity(error.detail) : error;
}
