import { NewCredential, PasskeySignInBody } from '@constancia/auth/passkeys';
import { ClientIp, IsMailedText, OnPageHost, Public, Trimmed } from '@constancia/http';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'class-transformer';
import { IsString, Length, ValidateNested } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserSessions, requireSameOrigin } from '../console/browser-sessions.ts';
import { Passkeys } from './passkeys.ts';

export class RegisterPasskeyBody {
  @Trimmed()
  @IsString()
  @Length(1, 60)
  @IsMailedText()
  name: string;

  @ValidateNested()
  @Type(() => NewCredential)
  credential: NewCredential;
}

/** Passkeys on the console host: registering one in a session, and signing in with one. On no API host: a member token registers nothing. */
@Controller('console')
@Public()
@OnPageHost()
@ApiExcludeController()
export class ConsolePasskeys {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly browsers: BrowserSessions,
  ) {}

  @Post('passkeys/options')
  @HttpCode(200)
  async registrationOptions(@Req() request: FastifyRequest): Promise<object> {
    return this.passkeys.registrationOptions(await this.browsers.current(request));
  }

  @Post('passkeys')
  @HttpCode(201)
  async register(
    @Req() request: FastifyRequest,
    @ClientIp() origin: string,
    @Body() { name, credential }: RegisterPasskeyBody,
  ): Promise<object> {
    const session = await this.browsers.current(request);
    await this.passkeys.register(session, name, credential as RegistrationResponseJSON, origin);
    return {};
  }

  @Post('session/passkey/options')
  @HttpCode(200)
  async signInOptions(@Req() request: FastifyRequest): Promise<object> {
    requireSameOrigin(request);
    return this.passkeys.signInOptions();
  }

  @Post('session/passkey')
  @HttpCode(200)
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: PasskeySignInBody,
  ): Promise<object> {
    requireSameOrigin(request);
    const result = await this.passkeys.signIn(body as AuthenticationResponseJSON, this.browsers.of(request));
    return this.browsers.answer(request, reply, result);
  }
}
