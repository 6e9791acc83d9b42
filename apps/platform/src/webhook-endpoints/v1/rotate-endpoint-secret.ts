import { AuditLog, generateWebhookSecret } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { SecretBox, uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DEFAULT_GRACE_SECONDS, RotationBody } from '../../rotation-body.ts';
import { webhookSecretContext } from '../../tenants/webhook-secret.ts';
import { endpointObject } from '../audited-endpoint.ts';
import { requireEndpointId } from '../webhook-endpoint.ts';
import { EndpointSecretView } from './endpoint-view.ts';

/** POST /v1/webhook-endpoints/{id}/rotate-secret: both secrets sign during the grace. */
@Controller('v1/webhook-endpoints')
@ApiTags('Webhooks')
export class RotateEndpointSecret {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  @Post(':id/rotate-secret')
  @RequireScope('webhooks:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateWebhookEndpointSecret',
    summary: 'Replace an endpoint’s own secret',
    description:
      'The new secret is shown in this answer only. During the grace both sign: the former in `X-Service-Signature-Previous`, and ' +
      'second in `webhook-signature`. The endpoint of a module is signed with the tenant’s secret: 409.',
  })
  @ApiBody({ type: RotationBody, required: false })
  @ApiOkResponse({ type: EndpointSecretView })
  @ApiProblems('validation-error', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: RotationBody,
    @ClientIp() origin: string,
  ): Promise<EndpointSecretView> {
    const { tenant } = principal;
    const uuid = uuidOf('whe', id);
    const secret = generateWebhookSecret();
    const sealed = this.secrets.seal(secret, webhookSecretContext(tenant.id));
    const row = await this.database.tenant(tenant.id, async (tx) => {
      const endpoint = await requireEndpointId(tx, tenant.id, uuid);
      if (endpoint.modules === null) {
        throw new StateConflict(
          'The tenant’s secret signs for this endpoint: POST /tenants/{id}/rotate-webhook-secret.',
        );
      }
      const [rotated] = await tx.query<{ rotated_at: Date; expires_at: Date }>(ROTATE, [
        ...[tenant.id, uuid, sealed, body.grace_seconds ?? DEFAULT_GRACE_SECONDS],
      ]);
      const entry = { action: 'webhook_endpoint.secret_rotated', object: endpointObject(endpoint) } as const;
      await AuditLog.record(tx, { principal, ...entry, origin });
      return rotated as { rotated_at: Date; expires_at: Date };
    });
    return {
      secret,
      rotated_at: row.rotated_at.toISOString(),
      previous_secret_expires_at: row.expires_at.toISOString(),
    };
  }
}

/** One former secret is kept: a rotation during a grace ends the secret before the former one. */
const ROTATE = `
  with moment as (select date_trunc('milliseconds', clock_timestamp()) as at)
  update platform.webhook_endpoint
     set previous_webhook_secret = case when $4::int > 0 then webhook_secret end,
         previous_webhook_secret_expires_at = moment.at + make_interval(secs => $4::int),
         webhook_secret = $3, updated_at = moment.at
    from moment
   where tenant_id = $1 and id = $2
  returning updated_at as rotated_at, previous_webhook_secret_expires_at as expires_at`;
