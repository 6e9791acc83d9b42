import { NewCredential, PasskeySignInBody } from '@constancia/auth/passkeys';
import type { WalletSignIn } from '@constancia/contracts';
import {
  CurrentPerson,
  OnPageHost,
  OwnPageOnly,
  type PersonPrincipal,
  Public,
  RequirePerson,
  Trimmed,
} from '@constancia/http';
import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'class-transformer';
import { IsString, Length, ValidateNested } from 'class-validator';
import { WalletPasskeys } from './wallet-passkeys.ts';

export class RegisterWalletPasskeyBody {
  @Trimmed()
  @IsString()
  @Length(1, 60)
  name: string;

  @ValidateNested()
  @Type(() => NewCredential)
  credential: NewCredential;
}

/** WALLET_PASSKEY_ROUTES, for the page of wallets alone: what its browser signs counts on its origin and no other. */
@Controller('v1/wallet')
@OnPageHost('person')
@UseGuards(OwnPageOnly)
@ApiExcludeController()
export class WalletPasskeyPages {
  constructor(private readonly passkeys: WalletPasskeys) {}

  @Post('me/passkeys/options')
  @RequirePerson()
  @HttpCode(200)
  registrationOptions(@CurrentPerson() person: PersonPrincipal): Promise<object> {
    return this.passkeys.registrationOptions(person);
  }

  @Post('me/passkeys')
  @RequirePerson()
  @HttpCode(201)
  async register(
    @CurrentPerson() person: PersonPrincipal,
    @Body() { name, credential }: RegisterWalletPasskeyBody,
  ): Promise<object> {
    await this.passkeys.register(person, name, credential as RegistrationResponseJSON);
    return {};
  }

  @Post('sessions/passkey/options')
  @Public()
  @HttpCode(200)
  signInOptions(): Promise<object> {
    return this.passkeys.signInOptions();
  }

  @Post('sessions/passkey')
  @Public()
  @HttpCode(200)
  async signIn(@Body() body: PasskeySignInBody): Promise<WalletSignIn> {
    const { token, expiresAt } = await this.passkeys.signIn(body as AuthenticationResponseJSON);
    return { wallet_session_jwt: token, expires_at: expiresAt.toISOString() };
  }
}
