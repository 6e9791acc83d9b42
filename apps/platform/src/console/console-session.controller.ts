import { OnPageHost, Public, Trimmed } from '@constancia/http';
import { NotFound, Unauthorized } from '@constancia/problem-json';
import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsEmail, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codesLocked } from '../codes-locked.ts';
import { BrowserSessions, ENDED, requireSameOrigin } from './browser-sessions.ts';
import { ConsoleSessions } from './console-sessions.ts';
import { consoleSessionView } from './console-session-view.ts';

export class CodeBody {
  @Trimmed()
  @IsEmail({ blacklisted_chars: '"' })
  @MaxLength(254)
  email: string;
}

export class SignInBody extends CodeBody {
  @Trimmed()
  @Matches(/^[0-9]{6}$/, { message: 'must be the six digits of the code' })
  code: string;

  @IsOptional()
  @IsUUID()
  tenant_id?: string;
}

export class LinkBody {
  @IsString()
  @Matches(/^(inv|lgn)_[0-9A-Za-z]{43}$/, { message: 'must be the token of a link, complete' })
  token: string;
}

const WRONG_CODE = 'The code is wrong or has expired. Check it, or ask for another one.';
const SPENT_LINK = 'This link was already used or has expired: ask for another one.';

/** Sign-in on the console host. Its pages alone call it: the routes are on no API host. */
@Controller('console/session')
@Public()
@OnPageHost()
@ApiExcludeController()
export class ConsoleSessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly browsers: BrowserSessions,
  ) {}

  /** The same answer, after the same work, for an address of a member and for any other. */
  @Post('code')
  @HttpCode(202)
  async requestCode(@Req() request: FastifyRequest, @Body() { email }: CodeBody): Promise<object> {
    requireSameOrigin(request);
    await this.sessions.requestCode(email);
    return {};
  }

  @Post()
  @HttpCode(200)
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { email, code, tenant_id }: SignInBody,
  ): Promise<object> {
    requireSameOrigin(request);
    const result = await this.sessions.signIn(email, code, tenant_id ?? null, this.browsers.of(request));
    switch (result.outcome) {
      case 'open':
      case 'required':
        return this.browsers.answer(request, reply, result);
      case 'choose':
        return { choose: result.tenants };
      case 'wrong':
        throw new Unauthorized(WRONG_CODE);
      case 'locked':
        throw codesLocked(result.retryAfterSeconds);
    }
  }

  /** Which organization an invitation is from, for the holder of its link. The link stays valid. */
  @Post('invitation')
  @HttpCode(200)
  async showInvitation(@Req() request: FastifyRequest, @Body() { token }: LinkBody): Promise<object> {
    requireSameOrigin(request);
    const invitation = await this.sessions.invitationOf(token);
    if (invitation === null) throw new NotFound(SPENT_LINK);
    return invitation;
  }

  @Post('link')
  @HttpCode(200)
  async signInWithLink(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { token }: LinkBody,
  ): Promise<object> {
    requireSameOrigin(request);
    const result = await this.sessions.signInWithLink(token, this.browsers.of(request));
    if (result === null) throw new NotFound(SPENT_LINK);
    return this.browsers.answer(request, reply, result);
  }

  @Get()
  async show(@Req() request: FastifyRequest): Promise<object> {
    return consoleSessionView(await this.browsers.current(request));
  }

  @Post('token')
  @HttpCode(200)
  async issueToken(@Req() request: FastifyRequest): Promise<object> {
    const issued = await this.sessions.issueToken(await this.browsers.current(request));
    if (issued === null) throw new Unauthorized(ENDED);
    return issued;
  }

  @Delete()
  @HttpCode(204)
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    requireSameOrigin(request);
    await this.browsers.end(request, reply);
  }
}
