import { LinkBearer } from '@constancia/embed-sessions';
import { ClientIp, FormBody, PathCredential } from '@constancia/http';
import { BadRequest } from '@constancia/problem-json';
import { Body, Controller, Get, Header, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswerByApp } from './answer-by-app.ts';
import { APP_REQUEST, type AppRequestBearer } from './app-request-links.ts';

/** What wallet apps call, as OpenID4VP 1.0 says. */
@Controller('v1/wallet/openid4vp/:token')
@PathCredential('token', APP_REQUEST)
@ApiExcludeController()
export class AppRequestRoutes {
  constructor(private readonly answers: AnswerByApp) {}

  /** RFC 9101, section 5.2.3. */
  @Get('request-object')
  async request(@LinkBearer() bearer: AppRequestBearer, @Res() reply: FastifyReply): Promise<void> {
    const request = await this.answers.request(bearer);
    const type = 'application/oauth-authz-req+jwt';
    await reply.headers({ 'Content-Type': type, 'Cache-Control': 'no-store' }).send(request);
  }

  /** Section 8.2. An app that answers with an error, such as access_denied, changes nothing: the person may still answer on the page. */
  @Post('response')
  @FormBody()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async response(
    @LinkBearer() bearer: AppRequestBearer,
    @ClientIp() ip: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Body() form: Record<string, string> | undefined,
  ): Promise<{ redirect_uri?: string }> {
    if (form?.error !== undefined) return {};
    if (form?.response === undefined) throw new BadRequest('Send the encrypted answer as response (direct_post.jwt).');
    const origin = { ip, userAgent: userAgent?.slice(0, 400) ?? null, frameOrigin: null };
    const { returnUrl } = await this.answers.answer(bearer, form.response, origin);
    return returnUrl === null ? {} : { redirect_uri: returnUrl };
  }
}
