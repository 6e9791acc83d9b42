import { ClientIp, IsMailedText, OnPageHost, Public, Trimmed } from '@constancia/http';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserSessions, requireSameOrigin } from '../console/browser-sessions.ts';
import { Passkeys } from './passkeys.ts';

const BASE64URL = /^[A-Za-z0-9_-]+$/;

class CeremonyBody {
  @Matches(BASE64URL)
  @MaxLength(1_400)
  id: string;

  @Matches(BASE64URL)
  @MaxLength(1_400)
  rawId: string;

  @Equals('public-key')
  type: 'public-key';

  @IsOptional()
  @IsIn(['platform', 'cross-platform'])
  authenticatorAttachment?: 'platform' | 'cross-platform';

  /** Not looked at. */
  @IsOptional()
  @IsObject()
  clientExtensionResults: object;
}

class SignedAssertion {
  @Matches(BASE64URL)
  @MaxLength(4_000)
  clientDataJSON: string;

  @Matches(BASE64URL)
  @MaxLength(4_000)
  authenticatorData: string;

  @Matches(BASE64URL)
  @MaxLength(4_000)
  signature: string;

  @IsOptional()
  @Matches(BASE64URL)
  @MaxLength(100)
  userHandle?: string;
}

export class PasskeySignInBody extends CeremonyBody {
  @ValidateNested()
  @Type(() => SignedAssertion)
  response: SignedAssertion;
}

class SignedAttestation {
  @Matches(BASE64URL)
  @MaxLength(4_000)
  clientDataJSON: string;

  @Matches(BASE64URL)
  @MaxLength(20_000)
  attestationObject: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @Matches(/^[a-z-]{1,20}$/, { each: true })
  transports?: string[];

  @IsOptional()
  @Matches(BASE64URL)
  @MaxLength(4_000)
  authenticatorData?: string;

  @IsOptional()
  @Matches(BASE64URL)
  @MaxLength(4_000)
  publicKey?: string;

  @IsOptional()
  publicKeyAlgorithm?: number;
}

class NewCredential extends CeremonyBody {
  @ValidateNested()
  @Type(() => SignedAttestation)
  response: SignedAttestation;
}

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
