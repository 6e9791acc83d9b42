import { hashSecret } from '@constancia/auth';
import { UnprocessableEntity } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { IdentityDatabase } from '../identity-database.ts';
import { type UsedPasskey, WalletPasskeys } from '../wallet/passkeys/wallet-passkeys.ts';
import { WalletMails } from '../wallet/wallet-mails.ts';
import type { ConsentBearer } from './consent-links.ts';

/** How a person proves that a wallet is theirs without a code: by a passkey, whose signature counts for this request alone. */
@Injectable()
export class ConsentPasskeys {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly passkeys: WalletPasskeys,
    private readonly mails: WalletMails,
  ) {}

  /** The same for every browser, and whether or not the person has a passkey: the browser offers those that it has for this host. */
  options({ presentationId }: ConsentBearer): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.stepUpOptions(presentationId);
  }

  /** The wallet is this browser's from now on. Throws UnprocessableEntity, the same whatever was wrong. */
  async verify(
    { presentationId }: ConsentBearer,
    browser: string,
    response: AuthenticationResponseJSON,
  ): Promise<void> {
    const used = await this.passkeys.used(response, presentationId);
    const proved = used !== null && (await this.prove(presentationId, browser, used));
    this.mails.wake(); // a notice may wait
    if (!proved) throw new UnprocessableEntity('The passkey was not accepted. Try again, or ask for a code.');
  }

  private async prove(
    id: string,
    browser: string,
    { id: passkeyId, signCount, backedUp }: UsedPasskey,
  ): Promise<boolean> {
    const [row] = await this.database.query<{ proved: boolean }>(
      'select identity.prove_by_passkey($1, $2, $3, $4, $5) as proved',
      [id, passkeyId, signCount, backedUp, hashSecret(browser)],
    );
    return row?.proved ?? false;
  }
}
