import {
  type KeepConfirmation,
  type KeepRequest,
  type KeepState,
  PERSON_LOCALES,
  type PersonLocale,
} from '@constancia/contracts';
import { LinkBearer } from '@constancia/embed-sessions';
import { BearerCredential, ClientIp, OnPageHost, OwnPageOnly, Trimmed } from '@constancia/http';
import { MAIL_ADDRESS } from '@constancia/mail';
import { Body, Controller, Get, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Equals, IsIn, Matches, MaxLength } from 'class-validator';
import { activeCaller } from '../../capture/capture-sessions.ts';
import { CAPTURE_TOKEN_PREFIX, type CaptureBearer } from '../../hosted/capture-tokens.ts';
import { WalletOffers } from './wallet-offers.ts';

export class KeepBody implements KeepRequest {
  @Equals(true)
  accepted: true;

  @Trimmed()
  @Matches(MAIL_ADDRESS, { message: 'must be one mail address' })
  @MaxLength(254)
  email: string;

  @MaxLength(40)
  version: string;

  @IsIn(PERSON_LOCALES)
  locale: PersonLocale;

  @Matches(/^[0-9a-f]{64}$/)
  sha256: string;
}

export class ConfirmBody implements KeepConfirmation {
  @Trimmed()
  @Matches(/^[0-9]{6}$/, { message: 'must be the six digits of the code' })
  code: string;
}

/** KEEP_ROUTES, for the capture page alone: not in the frame of a tenant's page, which could put anything around it. */
@Controller('capture/wallet')
@BearerCredential(CAPTURE_TOKEN_PREFIX)
@OnPageHost('person')
@UseGuards(OwnPageOnly)
@ApiExcludeController()
export class KeepController {
  constructor(private readonly offers: WalletOffers) {}

  @Get()
  state(@LinkBearer() bearer: CaptureBearer): Promise<KeepState> {
    return this.offers.state(bearer);
  }

  @Post()
  @HttpCode(202)
  request(
    @LinkBearer() bearer: CaptureBearer,
    @ClientIp() ip: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Body() body: KeepBody,
  ): Promise<KeepState> {
    activeCaller(bearer);
    return this.offers.request(bearer, body, { ip, userAgent: userAgent?.slice(0, 400) ?? null });
  }

  @Post('confirm')
  @HttpCode(200)
  confirm(@LinkBearer() bearer: CaptureBearer, @Body() { code }: ConfirmBody): Promise<KeepState> {
    activeCaller(bearer);
    return this.offers.confirm(bearer, code);
  }
}
