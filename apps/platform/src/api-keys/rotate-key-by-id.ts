import {
  AllowInGrace,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  Idempotent,
  IdempotencyKey,
  PresentedApiKey,
  type Principal,
  REPLAYED_HEADER,
  RequireScope,
  sendStored,
} from '@constancia/http';
import { typeId, uuidOf } from '@constancia/kernel';
import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DEFAULT_GRACE_SECONDS, RotationBody } from '../rotation-body.ts';
import { RotatedKeyView } from './api-key-view.ts';
import { requireKey } from './api-keys.ts';
import { KeyRotation, type Rotated } from './key-rotation.ts';

/** POST /v1/api-keys/{id}/rotate */
@Controller('v1/api-keys')
@ApiTags('API keys')
export class RotateKeyById {
  constructor(private readonly rotation: KeyRotation) {}

  @Post(':id/rotate')
  @RequireScope('keys:write')
  @AllowInGrace()
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({
    operationId: 'rotateApiKeyById',
    summary: 'Replace an API key',
    description:
      'The new key has the same id, name, scopes, networks and end. The former one is accepted until `previous_key_expires_at`; one in its ' +
      'grace period only repeats its own rotation, with the same Idempotency-Key. A key that has a scope which you do not hold is not yours ' +
      'to rotate: 403. The owner gets a mail.',
  })
  @ApiBody({ type: RotationBody, required: false })
  @ApiOkResponse({ type: RotatedKeyView, headers: REPLAYED_HEADER })
  @ApiProblems('validation-error', 'forbidden', 'not-found', 'conflict', 'state-conflict', 'unprocessable-entity')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: RotationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @ClientIp() origin: string,
    @PresentedApiKey() apiKey?: string,
    @IdempotencyKey() idempotencyKey?: string,
  ): Promise<string> {
    const keyId = uuidOf('key', id);
    const graceSeconds = body.grace_seconds ?? DEFAULT_GRACE_SECONDS;
    const route = `/v1/api-keys/${keyId}/rotate`;
    const request = { principal, apiKey, graceSeconds, idempotencyKey, route, origin };
    const find = (tx: Parameters<typeof requireKey>[0]) => requireKey(tx, principal.tenant.id, keyId);
    const { answer, replayed } = await this.rotation.rotate(request, find, viewOf);
    return sendStored(reply, answer, replayed);
  }
}

function viewOf({ key, apiKey, rotatedAt, previousKeyExpiresAt }: Rotated): RotatedKeyView {
  return {
    id: typeId('key', key.key_id),
    api_key: apiKey,
    rotated_at: rotatedAt.toISOString(),
    previous_key_expires_at: previousKeyExpiresAt.toISOString(),
  };
}
