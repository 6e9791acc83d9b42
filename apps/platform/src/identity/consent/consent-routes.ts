import {
  type ConsentApproval,
  type ConsentClaimView,
  type ConsentCode,
  type ConsentCodeRequest,
  type ConsentEnd,
  type ConsentRefusal,
  type ConsentReport,
  type ConsentState,
  PERSON_LOCALES,
  type PersonLocale,
} from '@constancia/contracts';
import { LinkBearer } from '@constancia/embed-sessions';
import { ClientIp, Trimmed } from '@constancia/http';
import { MAIL_ADDRESS } from '@constancia/mail';
import { Body, Get, Headers, HttpCode, Injectable, Post, Query, Res } from '@nestjs/common';
import { ArrayMaxSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { PAGE_NONCE } from '../page-browsers.ts';
import { ApprovePresentation } from './approve-presentation.ts';
import { ConsentCodes } from './consent-codes.ts';
import { type ConsentBearer, ConsentLinks } from './consent-links.ts';
import { ConsentStates } from './consent-states.ts';
import { RefusePresentation } from './refuse-presentation.ts';
import { claimNames } from '../presentations/released-claims.ts';

const EVERY_CLAIM = claimNames(['full_name', 'birth_date', 'document_number']);

export class NonceBody implements ConsentReport {
  @Matches(PAGE_NONCE)
  nonce: string;
}

export class StateQuery {
  @IsOptional()
  @IsIn(PERSON_LOCALES)
  locale?: PersonLocale;
}

export class SendCodeBody extends NonceBody implements ConsentCodeRequest {
  @IsOptional()
  @Trimmed()
  @Matches(MAIL_ADDRESS, { message: 'must be one mail address' })
  @MaxLength(254)
  identifier?: string;
}

export class VerifyCodeBody extends NonceBody implements ConsentCode {
  @Trimmed()
  @Matches(/^[0-9]{6}$/, { message: 'must be the six digits of the code' })
  code: string;
}

export class ApproveBody extends NonceBody implements ConsentApproval {
  @IsArray()
  @ArrayMaxSize(EVERY_CLAIM.length)
  @ArrayUnique()
  @IsIn(EVERY_CLAIM, { each: true })
  claims: ConsentClaimView['name'][];

  @MaxLength(40)
  version: string;

  @IsIn(PERSON_LOCALES)
  locale: PersonLocale;

  @Matches(/^[0-9a-f]{64}$/)
  sha256: string;
}

export class DeclineBody extends NonceBody implements ConsentRefusal {
  @IsBoolean()
  tell_tenant: boolean;
}

/** CONSENT_ROUTES but for passkeys, mounted where the holder of the credential is a ConsentBearer. */
@Injectable()
export class ConsentRoutes {
  constructor(
    private readonly links: ConsentLinks,
    private readonly states: ConsentStates,
    private readonly codes: ConsentCodes,
    private readonly approval: ApprovePresentation,
    private readonly refusal: RefusePresentation,
  ) {}

  @Get('state')
  async state(
    @LinkBearer() bearer: ConsentBearer,
    @Query() { locale }: StateQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsentState> {
    const browser = this.links.browserOf(bearer, reply);
    return this.states.state(bearer, browser, locale);
  }

  @Post('otp/send')
  @HttpCode(202)
  async sendCode(
    @LinkBearer() bearer: ConsentBearer,
    @Body() { nonce, identifier }: SendCodeBody,
  ): Promise<Record<string, never>> {
    this.links.requireBrowser(bearer, nonce);
    await this.codes.send(bearer, identifier);
    return {};
  }

  @Post('otp/verify')
  @HttpCode(200)
  async verifyCode(
    @LinkBearer() bearer: ConsentBearer,
    @Body() { nonce, code }: VerifyCodeBody,
  ): Promise<ConsentState> {
    const browser = this.links.requireBrowser(bearer, nonce);
    await this.codes.verify(bearer, browser, code);
    return this.states.state(bearer, browser);
  }

  @Post('approve')
  @HttpCode(200)
  approve(
    @LinkBearer() bearer: ConsentBearer,
    @ClientIp() ip: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Body() shown: ApproveBody,
  ): Promise<ConsentEnd> {
    const browser = this.links.requireBrowser(bearer, shown.nonce);
    const frameOrigin = bearer.place.kind === 'frame' ? bearer.place.origin : null;
    const origin = { ip, userAgent: userAgent?.slice(0, 400) ?? null, frameOrigin };
    return this.approval.approve(bearer, { browser, shown, origin });
  }

  @Post('decline')
  @HttpCode(200)
  decline(@LinkBearer() bearer: ConsentBearer, @Body() { nonce, tell_tenant }: DeclineBody): Promise<ConsentEnd> {
    return this.refusal.decline(bearer, this.links.requireBrowser(bearer, nonce), tell_tenant);
  }

  @Post('report')
  @HttpCode(200)
  report(@LinkBearer() bearer: ConsentBearer, @Body() { nonce }: NonceBody): Promise<ConsentEnd> {
    return this.refusal.report(bearer, this.links.requireBrowser(bearer, nonce));
  }
}
