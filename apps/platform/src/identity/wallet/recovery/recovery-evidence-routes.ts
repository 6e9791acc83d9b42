import {
  AlsoOnPageHost,
  ApiPublicProblems,
  Holder,
  OnPageHost,
  OwnPageOnly,
  RawBody,
  SecretPath,
  SignedAddress,
} from '@constancia/http';
import { Controller, Headers, HttpCode, Post, Put, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiExcludeController, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { PICTURE_TYPES } from '../../uploads/asset.entity.ts';
import { declaredPictureType } from '../../uploads/picture-type.ts';
import { MOST_BYTES } from '../../uploads/presigns.ts';
import { type EvidenceGrant, RECOVERY_EVIDENCE } from './evidence-addresses.ts';
import { RecoveryChallengeView, RecoveryPictureView } from './recovery-bodies.ts';
import { RecoveryEvidence } from './recovery-evidence.ts';

/** Below `upload_url` of a recovery. */
@Controller('v1/wallet/recovery-evidence/:token')
@ApiTags('Wallet')
@ApiParam({ name: 'token', type: String })
@AlsoOnPageHost('person')
@SignedAddress(RECOVERY_EVIDENCE)
@SecretPath()
export class RecoveryEvidenceRoutes {
  constructor(private readonly evidence: RecoveryEvidence) {}

  @Post('challenge')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'issueRecoveryChallenge',
    summary: 'Begin the check for life of a recovery',
    description: 'A sequence of head turns, good for one attempt within 60 seconds. Asking again ends the one before.',
  })
  @ApiCreatedResponse({ type: RecoveryChallengeView })
  @ApiPublicProblems('unauthorized', 'state-conflict')
  challenge(@Holder() { recoveryId }: EvidenceGrant): Promise<RecoveryChallengeView> {
    return this.evidence.challenge(recoveryId) as Promise<RecoveryChallengeView>;
  }

  @Put()
  @HttpCode(201)
  @ApiOperation({
    operationId: 'sendRecoveryPicture',
    summary: 'Upload a picture of the face for a recovery',
    description:
      'JPEG, PNG or WebP of up to 10 MiB and 50 megapixels, decoded and written again, encrypted with the key of the wallet, shown to ' +
      'nobody, and deleted when it was compared. 40 at most.',
  })
  @ApiCreatedResponse({ type: RecoveryPictureView })
  @ApiPublicProblems(
    'bad-request',
    'unauthorized',
    'state-conflict',
    'payload-too-large',
    'unsupported-media-type',
    'unprocessable-entity',
    'dependency-unavailable',
  )
  async picture(
    @Holder() { recoveryId }: EvidenceGrant,
    @Headers('content-type') contentType: string | undefined,
    @RawBody(PICTURE_TYPES, MOST_BYTES) bytes: Buffer,
  ): Promise<RecoveryPictureView> {
    return { stored_uri: await this.evidence.receive(recoveryId, bytes, declaredPictureType(contentType)) };
  }
}

/** The same, for the page of wallets alone: what its browser signs counts on its origin and no other. */
@Controller('v1/wallet/recovery-evidence/:token')
@OnPageHost('person')
@SignedAddress(RECOVERY_EVIDENCE)
@SecretPath()
@UseGuards(OwnPageOnly)
@ApiExcludeController()
export class RecoveryPasskeyPages {
  constructor(private readonly evidence: RecoveryEvidence) {}

  @Post('passkey')
  @HttpCode(200)
  options(@Holder() { recoveryId }: EvidenceGrant): Promise<object> {
    return this.evidence.passkeyOptions(recoveryId);
  }
}
