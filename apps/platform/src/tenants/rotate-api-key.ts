import { AuditLog, generateApiKey, hashSecret } from '@constancia/auth';
import {
  AllowInGrace,
  AllowRecoveryToken,
  ApiProblems,
  BearerToken,
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
import { isUuid, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Unauthorized } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { defaultKey, keyObject } from '../api-keys/api-keys.ts';
import { KeyRotation, type Rotated } from '../api-keys/key-rotation.ts';
import { PlatformConfig } from '../config.ts';
import { ApiTenantId, requireOwnTenant } from './own-tenant.ts';
import { requireActive } from './tenant-standing.ts';
import { DEFAULT_GRACE_SECONDS, RotationBody } from '../rotation-body.ts';

/** The answer of a key rotation. */
export class RotatedApiKeyView {
  @ApiProperty({ format: 'uuid' })
  tenant_id: string;

  @ApiProperty({ pattern: '^(live|test)_[0-9A-Za-z]{49}$', description: 'Shown in this answer only.' })
  api_key: string;

  @ApiProperty({ format: 'date-time' })
  rotated_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The former key is accepted until then; equal to rotated_at without a grace.',
  })
  previous_key_expires_at: string;
}

interface Rotation {
  rotated_at: Date;
  previous_key_expires_at: Date;
}

/** POST /tenants/{id}/rotate-api-key: the default key, on behalf of a principal with every scope or of a recovery token (no grace). */
@Controller('tenants')
@ApiTags('Tenants')
export class RotateApiKey {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly rotation: KeyRotation,
  ) {}

  @Post(':id/rotate-api-key')
  @RequireScope('keys:write')
  @AllowInGrace()
  @HttpCode(200)
  @AllowRecoveryToken()
  @Idempotent()
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Replace the default API key',
    description:
      'Replaces the key of the sign-up; other keys stay. Authorised by that key, by another key or a member that holds every scope, or by a ' +
      'mailed recovery token, whose use ends the former key at once and lifts its networks. The former key is accepted until `previous_key_expires_at`; one that has ended is refused by every host within a second. A key in its grace period does not rotate (403); ' +
      'it repeats its own rotation with the same Idempotency-Key and gets the same answer. A recovery token needs no such key: it works ' +
      'once. The owner gets a mail about every rotation and recovery.',
  })
  @ApiTenantId()
  @ApiBody({ type: RotationBody, required: false })
  @ApiOkResponse({ type: RotatedApiKeyView, headers: REPLAYED_HEADER })
  @ApiProblems('validation-error', 'unauthorized', 'forbidden', 'not-found', 'conflict', 'unprocessable-entity')
  async handle(
    @Param('id') id: string,
    @Body() body: RotationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @ClientIp() origin: string,
    @CurrentPrincipal() principal?: Principal,
    @BearerToken() recoveryToken?: string,
    @PresentedApiKey() apiKey?: string,
    @IdempotencyKey() idempotencyKey?: string,
  ): Promise<RotatedApiKeyView | string> {
    if (!principal) return this.onBehalfOfToken(recoveryToken ?? '', id, origin);
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    const graceSeconds = body.grace_seconds ?? DEFAULT_GRACE_SECONDS;
    const request = { principal, apiKey, graceSeconds, idempotencyKey, route: ROUTE, origin };
    const { answer, replayed } = await this.rotation.rotate(
      request,
      (tx) => defaultKey(tx, tenant.id),
      (rotated) => viewOf(tenant.id, rotated),
    );
    return sendStored(reply, answer, replayed);
  }

  private async onBehalfOfToken(token: string, id: string, origin: string): Promise<RotatedApiKeyView> {
    if (!isUuid(id)) throw new Unauthorized();
    const tenantId = id.toLowerCase();
    const key = generateApiKey(this.config.environment);
    const rotation = await this.database.tenant(tenantId, async (tx) => {
      const params = [tenantId, hashSecret(token), uuidv7(), key.hash, key.prefix];
      const [row] = await tx.query<Rotation>('select * from platform.use_recovery_token($1, $2, $3, $4, $5)', params);
      if (!row) throw new Unauthorized();
      await requireActive(tx, tenantId);
      const object = keyObject((await defaultKey(tx, tenantId)).key_id);
      const principal = { tenantId, system: 'recovery token' };
      await AuditLog.record(tx, { principal, action: 'api_key.recovered', object, origin });
      return row;
    });
    const { rotated_at: rotatedAt, previous_key_expires_at: previousKeyExpiresAt } = rotation;
    return viewOf(tenantId, { apiKey: key.plaintext, rotatedAt, previousKeyExpiresAt });
  }
}

const ROUTE = '/tenants/{id}/rotate-api-key';

function viewOf(
  tenantId: string,
  { apiKey, rotatedAt, previousKeyExpiresAt }: Omit<Rotated, 'key'>,
): RotatedApiKeyView {
  return {
    tenant_id: tenantId,
    api_key: apiKey,
    rotated_at: rotatedAt.toISOString(),
    previous_key_expires_at: previousKeyExpiresAt.toISOString(),
  };
}
