import { generateApiKey, hashSecret, type NewApiKey } from '@constancia/auth';
import {
  AllowRecoveryToken,
  ApiProblems,
  BearerToken,
  Idempotent,
  IdempotencyKey,
  REPLAYED_HEADER,
  sendStored,
  RequireScope,
  CurrentPrincipal,
  type Principal,
  AllowInGrace,
} from '@constancia/http';
import { Idempotency, type IdempotentRequest, requestFingerprint, type StoredResponse } from '@constancia/idempotency';
import { isUuid, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { Forbidden, InvalidApiKey, Unauthorized } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../config.ts';
import { ApiKey } from './api-key.entity.ts';
import { ApiTenantId, requireOwnTenant } from './own-tenant.ts';
import { DEFAULT_GRACE_SECONDS, RotationBody } from './rotation-body.ts';

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

const IN_GRACE =
  'This key was replaced and is in its grace period: only the current key rotates. If it is lost, ask for a recovery token.';

const ONLY_A_KEY = 'This operation replaces the key that calls it: present an API key.';

/** POST /tenants/{id}/rotate-api-key: on behalf of the key (former key kept for the grace) or of a recovery token (no grace). */
@Controller('tenants')
@ApiTags('Tenants')
export class RotateApiKey {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly idempotency: Idempotency,
  ) {}

  @Post(':id/rotate-api-key')
  @RequireScope('keys:write')
  @AllowInGrace()
  @HttpCode(200)
  @AllowRecoveryToken()
  @Idempotent()
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Replace the API key',
    description:
      'Authorised by the API key, or by a mailed recovery token, whose use ends the former key at once. The former key is ' +
      'accepted until `previous_key_expires_at`; one that has ended is refused by every host within a second. A key in its grace period does not rotate (403); ' +
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
    @CurrentPrincipal() principal?: Principal,
    @BearerToken() recoveryToken?: string,
    @IdempotencyKey() idempotencyKey?: string,
  ): Promise<RotatedApiKeyView | string> {
    if (!principal) return this.onBehalfOfToken(recoveryToken ?? '', id);
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    if (principal.kind !== 'key') throw new Forbidden(ONLY_A_KEY);
    const graceSeconds = body.grace_seconds ?? DEFAULT_GRACE_SECONDS;
    if (idempotencyKey === undefined) {
      return this.database.tenant(tenant.id, (tx) => this.onBehalfOfKey(tx, principal, graceSeconds));
    }
    const identity = { method: 'POST', route: '/tenants/{id}/rotate-api-key', body: { grace_seconds: graceSeconds } };
    const request = { key: idempotencyKey, fingerprint: requestFingerprint(identity) };
    const { answer, replayed } = await this.once(principal, request, graceSeconds);
    return sendStored(reply, answer, replayed);
  }

  /** The rotation and its answer, sealed, commit together: a repetition gets that answer, also with the key that was replaced. */
  private once(
    principal: Principal,
    request: IdempotentRequest,
    graceSeconds: number,
  ): Promise<{ answer: StoredResponse; replayed: boolean }> {
    const { tenant } = principal;
    return this.database.tenant(tenant.id, async (tx) => {
      const earlier = await this.idempotency.claim(tx, tenant.id, request);
      if (earlier) return { answer: earlier, replayed: true };
      const view = await this.onBehalfOfKey(tx, principal, graceSeconds);
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      const answer = { status: 200, headers, body: JSON.stringify(view) };
      await this.idempotency.complete(tx, tenant.id, request.key, answer, { secret: true });
      return { answer, replayed: false };
    });
  }

  private async onBehalfOfKey(tx: Tx, { id, tenant }: Principal, graceSeconds: number): Promise<RotatedApiKeyView> {
    const key = generateApiKey(this.config.environment);
    const [rotation] = await tx.query<Rotation>('select * from platform.rotate_api_key($1, $2, $3, $4, $5, $6)', [
      ...[tenant.id, id, uuidv7(), key.hash, key.prefix, graceSeconds],
    ]);
    if (rotation) return viewOf(tenant.id, key, rotation);
    const caller = await tx.manager.findOneBy(ApiKey, { id, tenant_id: tenant.id });
    if (caller?.status === 'expiring') throw new Forbidden(IN_GRACE);
    throw new InvalidApiKey(); // ended since the request began
  }

  private async onBehalfOfToken(token: string, id: string): Promise<RotatedApiKeyView> {
    const key = generateApiKey(this.config.environment);
    const [rotation] = isUuid(id)
      ? await this.database.query<Rotation>('select * from platform.use_recovery_token($1, $2, $3, $4, $5)', [
          ...[id, hashSecret(token), uuidv7(), key.hash, key.prefix],
        ])
      : [];
    if (!rotation) throw new Unauthorized();
    return viewOf(id.toLowerCase(), key, rotation);
  }
}

function viewOf(tenantId: string, key: NewApiKey, rotation: Rotation): RotatedApiKeyView {
  return {
    tenant_id: tenantId,
    api_key: key.plaintext,
    rotated_at: rotation.rotated_at.toISOString(),
    previous_key_expires_at: rotation.previous_key_expires_at.toISOString(),
  };
}
