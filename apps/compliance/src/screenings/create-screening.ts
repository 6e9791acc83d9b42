import { PRICE } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiProblems,
  IdempotencyKey,
  Idempotent,
  REPLAYED_HEADER,
  sendStored,
  RequireScope,
  CurrentPrincipal,
  type Principal,
} from '@constancia/http';
import { type IdempotentRequest, requestFingerprint, type StoredResponse } from '@constancia/idempotency';
import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DEFAULT_CODE } from '../validations/validation-body.ts';
import { checkedPayload } from './checked-payload.ts';
import { Screen } from './screen.ts';
import { ScreeningBody } from './screening-body.ts';
import { ScreeningView } from './screening-view.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** POST /v1/screenings: screen a subject, keep the result, open a case when a person has to look, and charge for it. */
@Controller('v1/screenings')
@ApiTags('Screenings')
export class CreateScreening {
  constructor(private readonly screen: Screen) {}

  @Post()
  @RequireScope('compliance:screen')
  @HttpCode(201)
  @Idempotent()
  @ApiActor()
  @ApiOperation({
    operationId: 'createScreening',
    summary: 'Screen a subject',
    description:
      `Debits ${PRICE.screening} credits together with the result: nothing is charged without one. A decision \`review\` or ` +
      '`reject` opens a case, or is attached to the open case of the subject. The event screening.completed follows. With an ' +
      'Idempotency-Key the request can be repeated safely for 24 hours.',
  })
  @ApiCreatedResponse({ type: ScreeningView, description: 'The result.', headers: REPLAYED_HEADER })
  @ApiProblems(
    'validation-error',
    'bad-request',
    'insufficient-acai',
    'not-found',
    'conflict',
    'unprocessable-entity',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @IdempotencyKey() key: string | undefined,
    @Headers('x-actor') actor: string | undefined,
    @Body() body: ScreeningBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const made = await this.screen.create(principal.tenant.id, {
      validationCode: body.validation_code ?? DEFAULT_CODE,
      subjectRef: body.subject_ref,
      subjectType: body.subject_type,
      payload: checkedPayload(body.payload),
      trigger: 'api',
      ...actingOf(actor, principal),
      ...(key !== undefined && { idempotency: { request: requestOf(key, body), answer } }),
    });
    if ('text' in made) {
      reply.header('Content-Type', JSON_TYPE);
      return made.text;
    }
    return sendStored(reply, made, true);
  }
}

function requestOf(key: string, body: ScreeningBody): IdempotentRequest {
  return { key, fingerprint: requestFingerprint({ method: 'POST', route: '/v1/screenings', body: { ...body } }) };
}

const answer = (text: string): StoredResponse => ({ status: 201, headers: { 'Content-Type': JSON_TYPE }, body: text });
