import { AuditLog, generateWebhookSecret } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { webhookSecretContext } from '../../tenants/webhook-secret.ts';
import { auditedEndpoint, endpointObject } from '../audited-endpoint.ts';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from '../webhook-endpoint.ts';
import { WebhookTargets } from '../webhook-targets.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { NewEndpointBody } from './endpoint-body.ts';
import { EndpointView, NewEndpointView } from './endpoint-view.ts';
import type { Subscription } from './subscription.ts';

export const MAX_ENDPOINTS = 20;

/** POST /v1/webhook-endpoints: one more endpoint, with a secret of its own. */
@Controller('v1/webhook-endpoints')
@ApiTags('Webhooks')
export class CreateEndpoint {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly targets: WebhookTargets,
  ) {}

  @Post()
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Create an endpoint with its own secret',
    description: `Up to ${MAX_ENDPOINTS} beside the one of each module. Give modules, event types, or both. The secret is shown in this answer only.`,
  })
  @ApiCreatedResponse({ type: NewEndpointView })
  @ApiProblems('validation-error', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: NewEndpointBody,
    @ClientIp() origin: string,
  ): Promise<NewEndpointView> {
    const { tenant } = principal;
    const { url, subscription } = await checkEndpoint(this.targets, body);
    const { modules, eventTypes } = subscription as Subscription;
    const secret = generateWebhookSecret();
    const sealed = this.secrets.seal(secret, webhookSecretContext(tenant.id));
    const endpoint = await this.database.tenant(tenant.id, async (tx) => {
      await lockEndpoints(tx, tenant.id);
      const [count] = await tx.query<{ made: number }>(
        'select count(*)::int as made from platform.webhook_endpoint where tenant_id = $1 and module is null',
        [tenant.id],
      );
      if ((count?.made ?? 0) >= MAX_ENDPOINTS) {
        throw new StateConflict(`A tenant has at most ${MAX_ENDPOINTS} of these endpoints: delete one first.`);
      }
      const [made] = await tx.query<WebhookEndpoint>(INSERT_ENDPOINT, [
        ...[uuidv7(), tenant.id, modules, url, body.enabled ?? true, eventTypes, body.description ?? null, sealed],
      ]);
      const created = made as WebhookEndpoint;
      const object = endpointObject(created);
      const after = auditedEndpoint(created);
      await AuditLog.record(tx, { principal, action: 'webhook_endpoint.created', object, after, origin });
      return created;
    });
    return { ...EndpointView.of(endpoint), secret };
  }
}

/** Serializes what adds endpoints of a tenant, so that their limit holds. */
export async function lockEndpoints(tx: Tx, tenantId: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('webhook-endpoints:' || $1, 0))", [tenantId]);
}

export const INSERT_ENDPOINT = `
  insert into platform.webhook_endpoint (id, tenant_id, modules, url, enabled, event_types, description, webhook_secret)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${ENDPOINT_COLUMNS}`;
