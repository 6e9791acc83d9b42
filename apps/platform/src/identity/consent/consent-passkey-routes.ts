import { PasskeySignInBody } from '@constancia/auth/passkeys';
import type { ConsentState } from '@constancia/contracts';
import { LinkBearer } from '@constancia/embed-sessions';
import { Body, HttpCode, Injectable, Post } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { type ConsentBearer, ConsentLinks } from './consent-links.ts';
import { ConsentPasskeys } from './consent-passkeys.ts';
import { NonceBody } from './consent-routes.ts';
import { ConsentStates } from './consent-states.ts';

export class PasskeyBody extends NonceBody {
  @ValidateNested()
  @Type(() => PasskeySignInBody)
  assertion: PasskeySignInBody;
}

/** The passkeys of CONSENT_ROUTES: not for frames, where none is accepted. */
@Injectable()
export class ConsentPasskeyRoutes {
  constructor(
    private readonly links: ConsentLinks,
    private readonly states: ConsentStates,
    private readonly passkeys: ConsentPasskeys,
  ) {}

  @Post('passkey/options')
  @HttpCode(200)
  passkeyOptions(@LinkBearer() bearer: ConsentBearer, @Body() { nonce }: NonceBody): Promise<object> {
    this.links.requireBrowser(bearer, nonce);
    return this.passkeys.options(bearer);
  }

  @Post('passkey')
  @HttpCode(200)
  async verifyPasskey(
    @LinkBearer() bearer: ConsentBearer,
    @Body() { nonce, assertion }: PasskeyBody,
  ): Promise<ConsentState> {
    const browser = this.links.requireBrowser(bearer, nonce);
    await this.passkeys.verify(bearer, browser, assertion as AuthenticationResponseJSON);
    return this.states.state(bearer, browser);
  }
}
