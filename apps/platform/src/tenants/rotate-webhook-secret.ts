import { AuditLog, generateWebhookSecret } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { SecretBox } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ApiTenantId, requireOwnTenant } from './own-tenant.ts';
import { DEFAULT_GRACE_SECONDS, RotationBody } from '../rotation-body.ts';
import { webhookSecretContext } from './webhook-secret.ts';

export class WebhookSecretView {
  @ApiProperty({ pattern: '^whsec_[A-Za-z0-9+/]{43}=$', description: 'Shown in this answer only.' })
  webhook_secret: string;

  @ApiProperty({ format: 'date-time' })
  rotated_at: string;

  @ApiProperty({ format: 'date-time', description: 'Until then deliveries are signed with the former secret too.' })
  previous_secret_expires_at: string;
}

/** POST /tenants/{id}/rotate-webhook-secret: both secrets sign during the grace. */
@Controller('tenants')
@ApiTags('Tenants')
export class RotateWebhookSecret {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  @Post(':id/rotate-webhook-secret')
  @RequireScope('webhooks:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the webhook secret',
    description:
      'The new secret is shown in this answer only. During the grace both sign: the former in `X-Service-Signature-Previous`, and second in `webhook-signature`.',
  })
  @ApiTenantId()
  @ApiBody({ type: RotationBody, required: false })
  @ApiOkResponse({ type: WebhookSecretView })
  @ApiProblems('validation-error', 'not-found')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: RotationBody,
    @ClientIp() origin: string,
  ): Promise<WebhookSecretView> {
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    const secret = generateWebhookSecret();
    const sealed = this.secrets.seal(secret, webhookSecretContext(tenant.id));
    const { rotated_at, expires_at } = await this.database.tenant(tenant.id, async (tx) => {
      const params = [tenant.id, sealed, body.grace_seconds ?? DEFAULT_GRACE_SECONDS];
      const [row] = await tx.query<{ rotated_at: Date; expires_at: Date }>(ROTATE, params);
      const object = { kind: 'webhook_secret', id: null };
      await AuditLog.record(tx, { principal, action: 'webhook_secret.rotated', object, origin });
      return row as { rotated_at: Date; expires_at: Date };
    });
    return {
      webhook_secret: secret,
      rotated_at: rotated_at.toISOString(),
      previous_secret_expires_at: expires_at.toISOString(),
    };
  }
}

/** One former secret is kept: a rotation during a grace ends the secret before the former one. */
const ROTATE = `
  with moment as (select date_trunc('milliseconds', clock_timestamp()) as at)
  update platform.tenant
     set previous_webhook_secret = case when $3::int > 0 then webhook_secret end,
         previous_webhook_secret_expires_at = moment.at + make_interval(secs => $3::int),
         webhook_secret = $2,
         webhook_secret_rotated_at = moment.at
    from moment
   where id = $1
  returning webhook_secret_rotated_at as rotated_at, previous_webhook_secret_expires_at as expires_at`;
