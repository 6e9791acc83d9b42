import { ClientIp, isSameOrigin, OnPageHost, Public, Trimmed } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Forbidden, NotFound, RateLimitExceeded, Unauthorized } from '@constancia/problem-json';
import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsEmail, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformConfig } from '../config.ts';
import { type ConsoleSession, ConsoleSessions, type OpenedSession, SESSION } from './console-sessions.ts';
import { sessionTokenOf, setSessionCookie } from './session-cookie.ts';

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
const ENDED = 'No one is signed in: sign in again.';
const FOREIGN = 'This request must come from a page of this host.';

/** Sign-in on the console host. Its pages alone call it: the routes are on no API host. */
@Controller('console/session')
@Public()
@OnPageHost()
@ApiExcludeController()
export class ConsoleSessionController {
  constructor(
    private readonly config: PlatformConfig,
    private readonly sessions: ConsoleSessions,
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
    @ClientIp() ip: string,
    @Body() { email, code, tenant_id }: SignInBody,
  ): Promise<object> {
    requireSameOrigin(request);
    const result = await this.sessions.signIn(email, code, tenant_id ?? null, { userAgent: userAgentOf(request), ip });
    switch (result.outcome) {
      case 'open':
        return this.open(request, reply, result);
      case 'choose':
        return { choose: result.tenants };
      case 'wrong':
        throw new Unauthorized(WRONG_CODE);
      case 'locked':
        throw locked(result.retryAfterSeconds);
    }
  }

  @Post('link')
  @HttpCode(200)
  async signInWithLink(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @ClientIp() ip: string,
    @Body() { token }: LinkBody,
  ): Promise<object> {
    requireSameOrigin(request);
    const opened = await this.sessions.signInWithLink(token, { userAgent: userAgentOf(request), ip });
    if (opened === null) throw new NotFound('This link was already used or has expired: ask for another one.');
    return this.open(request, reply, opened);
  }

  @Get()
  async show(@Req() request: FastifyRequest): Promise<object> {
    return viewOf(await this.current(request));
  }

  @Post('token')
  @HttpCode(200)
  async issueToken(@Req() request: FastifyRequest): Promise<object> {
    const issued = await this.sessions.issueToken(await this.current(request));
    if (issued === null) throw new Unauthorized(ENDED);
    return issued;
  }

  @Delete()
  @HttpCode(204)
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    requireSameOrigin(request);
    const token = sessionTokenOf(request, this.config.consoleUrl);
    if (token !== undefined) await this.sessions.end(token);
    setSessionCookie(reply, this.config.consoleUrl, null);
  }

  /** Ends the session that the browser had: signing in always gives another cookie. */
  private async open(request: FastifyRequest, reply: FastifyReply, { token }: OpenedSession): Promise<object> {
    const former = sessionTokenOf(request, this.config.consoleUrl);
    if (former !== undefined) await this.sessions.end(former);
    const session = await this.sessions.find(token);
    if (session === null) throw new Unauthorized(ENDED);
    setSessionCookie(reply, this.config.consoleUrl, token);
    return viewOf(session);
  }

  private async current(request: FastifyRequest): Promise<ConsoleSession> {
    requireSameOrigin(request);
    const token = sessionTokenOf(request, this.config.consoleUrl);
    const session = token === undefined ? null : await this.sessions.find(token);
    if (session === null) throw new Unauthorized(ENDED);
    return session;
  }
}

function requireSameOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw new Forbidden(FOREIGN);
}

function userAgentOf({ headers }: FastifyRequest): string {
  return headers['user-agent'] ?? 'unknown';
}

function locked(seconds: number): RateLimitExceeded {
  const minutes = Math.ceil(seconds / 60);
  return new RateLimitExceeded(
    `Five wrong codes: wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, then ask for another code.`,
    {},
    { 'Retry-After': String(seconds) },
  );
}

function viewOf(session: ConsoleSession): object {
  return {
    member: { id: typeId('mbr', session.member_id), name: session.name, email: session.email, role: session.role },
    tenant: {
      id: session.tenant_id,
      slug: session.slug,
      name: session.display_name,
      environment: session.environment,
    },
    session: {
      id: typeId('mss', session.id),
      created_at: session.created_at.toISOString(),
      expires_at: session.expires_at.toISOString(),
      idle_expires_at: new Date(
        Math.min(session.last_used_at.getTime() + SESSION.idleSeconds * 1000, session.expires_at.getTime()),
      ).toISOString(),
    },
  };
}
