import { generateApiKey, hashSecret } from '@constancia/auth';
import { AllowRecoveryToken, ApiProblems, BearerToken, CurrentTenant, type Tenant } from '@constancia/http';
import { isUuid, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Forbidden, InvalidApiKey, Unauthorized } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformConfig } from '../config.ts';
import { RotatedApiKeyView } from './api-key-view.ts';
import { ApiTenantId, requireOwnTenant } from './own-tenant.ts';
import { DEFAULT_GRACE_SECONDS, RotationBody } from './rotation-body.ts';

interface Rotation {
  rotated_at: Date;
  previous_key_expires_at: Date;
}

const IN_GRACE =
  'This key was replaced and is in its grace period: only the current key rotates. If it is lost, ask for a recovery token.';

/** POST /tenants/{id}/rotate-api-key: on behalf of the key (former key kept for the grace) or of a recovery token (no grace). */
@Controller('tenants')
@ApiTags('Tenants')
export class RotateApiKey {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
  ) {}

  @Post(':id/rotate-api-key')
  @HttpCode(200)
  @AllowRecoveryToken()
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Replace the API key',
    description:
      'Authorised by the API key, or by a mailed recovery token, whose use ends the former key at once. The former key is ' +
      'accepted until `previous_key_expires_at`; one that has ended is refused by every host within a second. A key in its grace period does not rotate (403). The owner ' +
      'gets a mail about every rotation and recovery.',
  })
  @ApiTenantId()
  @ApiBody({ type: RotationBody, required: false })
  @ApiOkResponse({ type: RotatedApiKeyView })
  @ApiProblems('validation-error', 'unauthorized', 'forbidden', 'not-found')
  async handle(
    @Param('id') id: string,
    @Body() body: RotationBody,
    @CurrentTenant() tenant?: Tenant,
    @BearerToken() recoveryToken?: string,
  ): Promise<RotatedApiKeyView> {
    const key = generateApiKey(this.config.environment);
    const replacement = [uuidv7(), key.hash, key.prefix];
    const rotation = tenant
      ? await this.onBehalfOfKey(tenant, id, replacement, body.grace_seconds ?? DEFAULT_GRACE_SECONDS)
      : await this.onBehalfOfToken(recoveryToken ?? '', id, replacement);
    return {
      tenant_id: id.toLowerCase(),
      api_key: key.plaintext,
      rotated_at: rotation.rotated_at.toISOString(),
      previous_key_expires_at: rotation.previous_key_expires_at.toISOString(),
    };
  }

  private async onBehalfOfKey(
    tenant: Tenant,
    id: string,
    replacement: unknown[],
    graceSeconds: number,
  ): Promise<Rotation> {
    requireOwnTenant(tenant, id);
    const [rotation] = await this.database.query<Rotation>(
      'select * from platform.rotate_api_key($1, $2, $3, $4, $5, $6)',
      [tenant.id, tenant.keyId, ...replacement, graceSeconds],
    );
    if (rotation) return rotation;
    const [key] = await this.database.tenant(tenant.id, (tx) =>
      tx.query<{ status: string }>('select status from platform.api_key where id = $1 and tenant_id = $2', [
        tenant.keyId,
        tenant.id,
      ]),
    );
    if (key?.status === 'expiring') throw new Forbidden(IN_GRACE);
    throw new InvalidApiKey(); // ended since the request began
  }

  private async onBehalfOfToken(token: string, id: string, replacement: unknown[]): Promise<Rotation> {
    const [rotation] = isUuid(id)
      ? await this.database.query<Rotation>('select * from platform.use_recovery_token($1, $2, $3, $4, $5)', [
          id,
          hashSecret(token),
          ...replacement,
        ])
      : [];
    if (!rotation) throw new Unauthorized();
    return rotation;
  }
}
