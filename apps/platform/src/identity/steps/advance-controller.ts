import {
  AllowBearerToken,
  ApiOptional,
  ApiProblems,
  ClientIp,
  type CredentialHolder,
  Holder,
  IdempotencyKey,
  Idempotent,
  REPLAYED_HEADER,
  RequestId,
  sendStored,
  RequireScope,
  CurrentPrincipal,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { requestFingerprint } from '@constancia/idempotency';
import { PRICE } from '@constancia/contracts';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { AdvanceSession } from './advance-session.ts';
import { SessionCallers } from '../sessions/session-callers.ts';
import { SESSION_TOKEN_PREFIX } from '../sessions/session-token.ts';
import { ApiSessionOk, SESSION_ID_EXAMPLE } from '../sessions/session-view.ts';
import { personAnswer, forCaller } from '../sessions/person-view.ts';
import { PERSON_TOKEN_PREFIX } from '../subjects/person-bearer.ts';

export class AdvanceBody {
  @ApiOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'consent: `{accepted: true, locale?, version?, reuse_presentation_id?}`; with the id of an approved request for a kept verification ' +
      'the session goes on after document and face. document_upload: `{doc_front_uri, doc_back_uri}` (a passport goes without ' +
      'the back). face_match: `{selfie_uri, liveness_mode}`; basic: with `frames` (3 to 5 pictures of two seconds) and their `nonce`, if ' +
      'the picture is to be checked for life; active: also `challenge_id` and `frame_uris`, one per pose. ' +
      'sarlaft: `{}`. A step that is not required: `{skip: true}`.',
    example: { accepted: true },
  })
  @IsObject()
  input?: object;
}

/** For the fingerprint of an Idempotency-Key. */
export const ADVANCE_ROUTE = '/v1/flows/sessions/{id}/advance';

/** POST /v1/flows/sessions/{id}/advance: the next step. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class AdvanceFlowSession {
  constructor(
    private readonly session: AdvanceSession,
    private readonly callers: SessionCallers,
  ) {}

  @Post(':id/advance')
  @RequireScope('identity:write')
  @WhileClosing()
  @HttpCode(200)
  @Idempotent()
  @AllowBearerToken(SESSION_TOKEN_PREFIX, PERSON_TOKEN_PREFIX)
  @ApiOperation({
    operationId: 'advanceFlowSession',
    summary: 'Take the current step',
    description:
      'Work that takes longer than 25 s answers with last_outcome `processing`: GET shows what came of it, and the same input again ' +
      `joins it. face_match holds ${PRICE.kyc} credits before any work, spends them on a decision, and gives them back when the picture ` +
      'has to be taken again or our engine fails. What can be tried again is 422 unprocessable-entity with `reason` and ' +
      '`attempts_left`; what cannot is 422 kyc-rejected with `rejection_reason`. The session_token, and an access token of the person with the scope `session:write`, get the ' +
      'person’s view of both.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiSessionOk(REPLAYED_HEADER)
  @ApiProblems(
    'validation-error',
    'bad-request',
    'unauthorized',
    'insufficient-acai',
    'not-found',
    'conflict',
    'state-conflict',
    'unprocessable-entity',
    'kyc-rejected',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal | undefined,
    @Holder() holder: CredentialHolder | undefined,
    @Param('id') id: string,
    @IdempotencyKey() key: string | undefined,
    @RequestId() requestId: string,
    @ClientIp() ip: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Body() body: AdvanceBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const caller = await this.callers.of(principal, holder, id, 'session:write');
    const input = body.input ?? {};
    const fingerprint = () =>
      requestFingerprint({ method: 'POST', route: ADVANCE_ROUTE, params: { id }, body: { input } });
    const { response, replayed } = await forCaller(caller, () =>
      this.session.advance({
        ...caller,
        input,
        idempotency: key === undefined ? undefined : { key, fingerprint: fingerprint() },
        requestId,
        ip,
        userAgent: userAgent?.slice(0, 400) ?? null,
      }),
    );
    return sendStored(reply, caller.bearer ? personAnswer(response) : response, replayed);
  }
}
