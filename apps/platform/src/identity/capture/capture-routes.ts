import {
  CAPTURE_KINDS,
  type CaptureChallenge,
  type CaptureClaim,
  type CapturedPicture,
  type CaptureHandover,
  type CaptureKind,
  type CaptureState,
} from '@constancia/contracts';
import { LinkBearer } from '@constancia/embed-sessions';
import { ClientIp, IdempotencyKey, Idempotent, RawBody, RequestId } from '@constancia/http';
import { Body, Get, Headers, HttpCode, Injectable, Post, Query } from '@nestjs/common';
import { IsIn, IsObject } from 'class-validator';
import type { CaptureBearer } from '../hosted/capture-tokens.ts';
import { forCaller } from '../sessions/person-view.ts';
import { LivenessChallenges } from '../steps/liveness-challenges.ts';
import type { AssetKind } from '../uploads/asset.entity.ts';
import { PICTURE_TYPES } from '../uploads/asset.entity.ts';
import { MOST_BYTES } from '../uploads/presigns.ts';
import { ReceivedPictures } from '../uploads/received-pictures.ts';
import { CaptureAdvances } from './capture-advances.ts';
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

/** What a page calls that takes a session (CAPTURE_ROUTES), mounted where the holder of the credential is a CaptureBearer. */
@Injectable()
export class CaptureRoutes {
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

  @Post('reuse')
  @HttpCode(200)
  askForKept(@LinkBearer() bearer: CaptureBearer): Promise<CaptureState> {
    return this.sessions.askForKept(bearer);
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
