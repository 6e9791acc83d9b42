import { cookieNamed, needsTls, OnPageHost, Public, SecretPath } from '@constancia/http';
import { DependencyUnavailable, NotFound } from '@constancia/problem-json';
import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformConfig } from '../config.ts';
import { BrowserSessions, requireSameOrigin } from '../console/browser-sessions.ts';
import { BINDING_VALUE } from './browser-binding.ts';
import { ProviderUnavailable } from './provider/provider.ts';
import { ATTEMPT_SECONDS, SsoSignIn } from './sso-sign-in.ts';

export class BeginSsoBody {
  @IsString()
  @Matches(/^[a-z0-9-]{1,63}$/, { message: 'must be the short name of an organization' })
  slug: string;
}

/** The same for an organization that does not exist and for one without a provider. */
const NO_SSO = 'There is no single sign-on under this name.';
/** The console's page, which asks for the session itself. */
const SIGNED_IN = '/login';

/** Single sign-on on the console host. */
@Controller('console/sso')
@Public()
@OnPageHost()
@ApiExcludeController()
export class SsoSignInController {
  constructor(
    private readonly config: PlatformConfig,
    private readonly signIn: SsoSignIn,
    private readonly browsers: BrowserSessions,
  ) {}

  /** Begins on a press on a page of this host: else another page could sign somebody in at a provider of its own choice. */
  @Post()
  @HttpCode(200)
  async begin(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { slug }: BeginSsoBody,
  ): Promise<object> {
    requireSameOrigin(request);
    const begun = await this.signIn.begin(slug).catch((error: unknown) => {
      throw error instanceof ProviderUnavailable
        ? new DependencyUnavailable('The identity provider does not answer.', {}, {}, error)
        : error;
    });
    if (begun === null) throw new NotFound(NO_SSO);
    this.setCookie(reply, begun.cookie);
    return { location: begun.location };
  }

  /**
   * The provider sends the browser here. The session's cookie is not sent with a navigation that another site began (SameSite=Strict), so
   * the answer leads to the page, which asks for the session from this site. Where it leads to is never taken from the request.
   */
  @Get(':slug/callback')
  @SecretPath()
  async finish(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('slug') slug: string,
  ): Promise<FastifyReply> {
    const cookie = cookieNamed(this.cookieName, BINDING_VALUE, request);
    const query = request.url.slice(request.url.indexOf('?') + 1);
    const result = await this.signIn.finish(slug, query, cookie, this.browsers.of(request));
    if (cookie !== undefined) this.setCookie(reply, null);
    reply.header('cache-control', 'no-store');
    if (typeof result === 'string')
      return reply.redirect(`/console/sso/${encodeURIComponent(slug)}#failure=${result}`, 303);
    await this.browsers.answer(request, reply, result);
    return reply.redirect(SIGNED_IN, 303);
  }

  private get cookieName(): string {
    return needsTls(this.config.consoleUrl) ? '__Host-constancia_sso' : 'constancia_sso';
  }

  /** SameSite=Lax: it has to come back with the navigation from the provider's site. */
  private setCookie(reply: FastifyReply, value: string | null): void {
    const attributes = [
      `${this.cookieName}=${value ?? ''}`,
      'Path=/',
      `Max-Age=${value === null ? 0 : ATTEMPT_SECONDS}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(needsTls(this.config.consoleUrl) ? ['Secure'] : []),
    ];
    reply.header('Set-Cookie', attributes.join('; '));
  }
}
