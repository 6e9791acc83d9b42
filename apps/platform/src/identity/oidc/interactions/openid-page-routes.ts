import { PasskeySignInBody } from '@constancia/auth/passkeys';
import { type OpenIdEnd, type OpenIdState, PERSON_LOCALES, type PersonLocale } from '@constancia/contracts';
import { LinkBearer } from '@constancia/embed-sessions';
import { ClientIp, OnPageHost, OwnPageOnly, PathCredential, Trimmed } from '@constancia/http';
import { MAIL_ADDRESS } from '@constancia/mail';
import { Body, Controller, Get, Headers, HttpCode, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'class-transformer';
import { IsIn, IsOptional, Matches, MaxLength, ValidateNested } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { PAGE_NONCE } from '../../page-browsers.ts';
import { CHALLENGE_ID } from '../../wallet/sessions/wallet-challenge.ts';
import { OPENID_LINK, type OpenIdBearer, OpenIdLinks } from './openid-links.ts';
import { OpenIdStates } from './openid-states.ts';
import { PersonSignIn } from './person-sign-in.ts';

export class OpenIdNonceBody {
  @Matches(PAGE_NONCE)
  nonce: string;
}

export class OpenIdStateQuery {
  @IsOptional()
  @IsIn(PERSON_LOCALES)
  locale?: PersonLocale;
}

export class OpenIdSendCodeBody extends OpenIdNonceBody {
  @Trimmed()
  @Matches(MAIL_ADDRESS, { message: 'must be one mail address' })
  @MaxLength(254)
  identifier: string;
}

export class OpenIdVerifyCodeBody extends OpenIdNonceBody {
  @Matches(CHALLENGE_ID, { message: 'must be a challenge_id as it was answered' })
  @MaxLength(98)
  challenge_id: string;

  @Trimmed()
  @Matches(/^[0-9]{6}$/, { message: 'must be the six digits of the code' })
  code: string;
}

export class OpenIdPasskeyBody extends OpenIdNonceBody {
  @ValidateNested()
  @Type(() => PasskeySignInBody)
  assertion: PasskeySignInBody;
}

export class OpenIdAgreeBody extends OpenIdNonceBody {
  @IsOptional()
  @MaxLength(40)
  version?: string;

  @IsOptional()
  @IsIn(PERSON_LOCALES)
  locale?: PersonLocale;

  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/)
  sha256?: string;
}

/** OPENID_ROUTES, for the page of an interaction alone. */
@Controller('openid/:token')
@PathCredential('token', OPENID_LINK)
@OnPageHost('person')
@UseGuards(OwnPageOnly)
@ApiExcludeController()
export class OpenIdPageRoutes {
  constructor(
    private readonly links: OpenIdLinks,
    private readonly states: OpenIdStates,
    private readonly signIn: PersonSignIn,
  ) {}

  @Get('state')
  async state(
    @LinkBearer() bearer: OpenIdBearer,
    @Query() { locale = 'es-CO' }: OpenIdStateQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenIdState> {
    return this.states.state(bearer, this.links.browserOf(bearer, reply), locale);
  }

  @Post('otp/send')
  @HttpCode(202)
  async sendCode(
    @LinkBearer() bearer: OpenIdBearer,
    @Body() { nonce, identifier }: OpenIdSendCodeBody,
  ): Promise<{ challenge_id: string }> {
    this.links.requireBrowser(bearer, nonce);
    return { challenge_id: await this.signIn.sendCode(bearer, identifier) };
  }

  @Post('otp/verify')
  @HttpCode(200)
  async verifyCode(
    @LinkBearer() bearer: OpenIdBearer,
    @Body() { nonce, challenge_id, code }: OpenIdVerifyCodeBody,
  ): Promise<OpenIdEnd> {
    this.links.requireBrowser(bearer, nonce);
    return { redirect_to: await this.signIn.verifyCode(bearer, challenge_id, code) };
  }

  @Post('passkey/options')
  @HttpCode(200)
  passkeyOptions(@LinkBearer() bearer: OpenIdBearer, @Body() { nonce }: OpenIdNonceBody): Promise<object> {
    this.links.requireBrowser(bearer, nonce);
    return this.signIn.options(bearer);
  }

  @Post('passkey')
  @HttpCode(200)
  async verifyPasskey(
    @LinkBearer() bearer: OpenIdBearer,
    @Body() { nonce, assertion }: OpenIdPasskeyBody,
  ): Promise<OpenIdEnd> {
    this.links.requireBrowser(bearer, nonce);
    return { redirect_to: await this.signIn.verifyPasskey(bearer, assertion as AuthenticationResponseJSON) };
  }

  @Post('agree')
  @HttpCode(200)
  async agree(
    @LinkBearer() bearer: OpenIdBearer,
    @ClientIp() ip: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Body() { nonce, ...shown }: OpenIdAgreeBody,
  ): Promise<OpenIdEnd> {
    this.links.requireBrowser(bearer, nonce);
    const text = await this.states.agreed(bearer, shown, { ip, userAgent: userAgent?.slice(0, 400) ?? null });
    return { redirect_to: this.links.onward(bearer, { kind: 'agree', text }) };
  }

  @Post('refuse')
  @HttpCode(200)
  refuse(@LinkBearer() bearer: OpenIdBearer, @Body() { nonce }: OpenIdNonceBody): OpenIdEnd {
    this.links.requireBrowser(bearer, nonce);
    return { redirect_to: this.links.onward(bearer, { kind: 'refuse' }) };
  }
}
