import {
  CAPTURE_KINDS,
  type CaptureChallenge,
  type CaptureClaim,
  type CapturedPicture,
  type CaptureHandover,
  type CaptureKind,
  type CaptureState,
} from '@constancia/contracts';
import {
  BearerCredential,
  ClientIp,
  IdempotencyKey,
  Idempotent,
  OnPageHost,
  RawBody,
  RequestId,
} from '@constancia/http';
import { Body, Controller, Get, Headers, HttpCode, Post, Query, type Type, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsIn, IsObject } from 'class-validator';
import { CAPTURE_TOKEN_PREFIX, type CaptureBearer } from '../hosted/capture-tokens.ts';
import { forCaller } from '../sessions/person-view.ts';
import { LivenessChallenges } from '../steps/liveness-challenges.ts';
import type { AssetKind } from '../uploads/asset.entity.ts';
import { PICTURE_TYPES } from '../uploads/asset.entity.ts';
import { MOST_BYTES } from '../uploads/presigns.ts';
import { ReceivedPictures } from '../uploads/received-pictures.ts';
import { CaptureAdvances } from './capture-advances.ts';
import { LinkBearer, OwnPageOnly } from './capture-request.ts';
import { activeCaller, CaptureSessions } from './capture-sessions.ts';

const ASSET_KIND = {
  doc_front: 'doc_front',
  doc_back: 'doc_back',
  selfie: 'selfie',
  frame: 'liveness_frame',
} as const satisfies Record<CaptureKind, AssetKind>;

export class PictureQuery {
  @IsIn(CAPTURE_KINDS)
  kind: CaptureKind;
}

export class CaptureAdvanceBody {
  @IsObject()
  input: object;
}

/**
 * A controller of what a page calls that takes a session (CAPTURE_ROUTES). `place` says below which path, on which host and with which
 * credential, whose holder is a CaptureBearer.
 */
export function captureController(...place: ClassDecorator[]): Type<unknown> {
  @ApiExcludeController()
  class Routes {
    constructor(
      private readonly sessions: CaptureSessions,
      private readonly advances: CaptureAdvances,
      private readonly challenges: LivenessChallenges,
      private readonly pictures: ReceivedPictures,
    ) {}

    @Get('state')
    state(@LinkBearer() bearer: CaptureBearer): Promise<CaptureState> {
      return this.sessions.state(bearer);
    }

    @Post('claim')
    @HttpCode(200)
    claim(@LinkBearer() bearer: CaptureBearer): Promise<CaptureClaim> {
      return this.sessions.claim(bearer);
    }

    @Post('pictures')
    async receive(
      @LinkBearer() bearer: CaptureBearer,
      @Query() { kind }: PictureQuery,
      @Headers('content-type') contentType: string | undefined,
      @RawBody(PICTURE_TYPES, MOST_BYTES) bytes: Buffer,
    ): Promise<CapturedPicture> {
      const { tenantId } = activeCaller(bearer);
      const picture = { kind: ASSET_KIND[kind], contentType, bytes };
      return { stored_uri: await this.pictures.receive(tenantId, bearer.subjectId, picture) };
    }

    @Post('advance')
    @HttpCode(200)
    @Idempotent()
    advance(
      @LinkBearer() bearer: CaptureBearer,
      @IdempotencyKey() key: string | undefined,
      @RequestId() requestId: string,
      @ClientIp() ip: string,
      @Headers('user-agent') userAgent: string | undefined,
      @Body() { input }: CaptureAdvanceBody,
    ): Promise<CaptureState> {
      return this.advances.advance(bearer, { input, key, requestId, ip, userAgent });
    }

    @Post('challenge')
    async challenge(@LinkBearer() bearer: CaptureBearer): Promise<CaptureChallenge> {
      const caller = activeCaller(bearer);
      return forCaller(caller, () => this.challenges.forStep(caller));
    }

    @Post('handover')
    handOver(@LinkBearer() bearer: CaptureBearer): Promise<CaptureHandover> {
      return forCaller({ bearer: true }, () => this.sessions.handOver(bearer));
    }
  }
  for (const decorate of place) decorate(Routes);
  return Routes;
}

/** For the capture page: its pages alone, the routes are on no API host. */
export const CaptureController = captureController(
  Controller('capture'),
  BearerCredential(CAPTURE_TOKEN_PREFIX),
  OnPageHost('person'),
  UseGuards(OwnPageOnly),
);
