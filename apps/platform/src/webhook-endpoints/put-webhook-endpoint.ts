import { AuditLog, changedValues } from '@constancia/auth';
import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import { endpointIdOf } from '@constancia/events';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { requireOwnTenant } from '../tenants/own-tenant.ts';
import { auditedEndpoint, endpointObject } from './audited-endpoint.ts';
import { targetOf } from './v1/check-endpoint.ts';
import { refusedTypes } from './v1/subscription.ts';
import { WebhookEndpointBody, WebhookEndpointView } from './webhook-endpoint-view.ts';
import { ENDPOINT_COLUMNS, isEventModule, type WebhookEndpoint } from './webhook-endpoint.ts';
import { WebhookTargets } from './webhook-targets.ts';

/** PUT /tenants/{id}/webhook-endpoints/{module}: registers or replaces the endpoint that gets the events of a module. */
@Controller('tenants')
@ApiTags('Webhooks')
export class PutWebhookEndpoint {
  constructor(
    private readonly database: Database,
    private readonly targets: WebhookTargets,
  ) {}

  @Put(':id/webhook-endpoints/:module')
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'putWebhookEndpoint',
    summary: 'Register the endpoint of a module',
    description: 'Replaces the whole endpoint and forgets its failures, so it also brings a disabled one back.',
  })
  @ApiParam({ name: 'module', enum: EVENT_MODULES })
  @ApiOkResponse({ type: WebhookEndpointView })
  @ApiProblems('validation-error', 'not-found')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('module') module: string,
    @Body() body: WebhookEndpointBody,
    @ClientIp() origin: string,
  ): Promise<WebhookEndpointView> {
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    const [url, eventModule] = await this.check(module, body);
    const endpointId = endpointIdOf(tenant.id, eventModule);
    const endpoint = await this.database.tenant(tenant.id, async (tx) => {
      const [former] = await tx.query<WebhookEndpoint>(FORMER, [tenant.id, endpointId]);
      const [put] = await tx.query<WebhookEndpoint>(PUT_ENDPOINT, [
        ...[endpointId, tenant.id, eventModule, url],
        ...[body.enabled ?? true, body.event_types ?? [], body.description ?? null],
      ]);
      const row = put as WebhookEndpoint;
      const change = former
        ? {
            action: 'webhook_endpoint.changed' as const,
            ...changedValues(auditedEndpoint(former), auditedEndpoint(row)),
          }
        : { action: 'webhook_endpoint.created' as const, after: auditedEndpoint(row) };
      await AuditLog.record(tx, { principal, object: endpointObject(row), ...change, origin });
      return row;
    });
    return WebhookEndpointView.of(endpoint);
  }

  /** Everything wrong at once: the module in the path, the event types, the URL. */
  private async check(module: string, body: WebhookEndpointBody): Promise<[url: string, module: EventModule]> {
    const errors: FieldError[] = [];
    const detail = `Must be one of ${EVENT_MODULES.join(', ')}.`;
    if (!isEventModule(module)) errors.push({ pointer: '/path/module', code: 'not_allowed', detail });
    else errors.push(...refusedTypes(body.event_types ?? [], [module]));
    const url = await targetOf(this.targets, body.url, errors);
    if (errors.length > 0) throw new ValidationError(errors);
    return [url as string, module as EventModule];
  }
}

const FORMER = `select ${ENDPOINT_COLUMNS} from platform.webhook_endpoint where tenant_id = $1 and id = $2 for update`;

/** Registers the endpoint of a module, or replaces it. */
export const PUT_ENDPOINT = `
  insert into platform.webhook_endpoint as e (id, tenant_id, module, url, enabled, event_types, description)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (id) do update
     set url = excluded.url, enabled = excluded.enabled, event_types = excluded.event_types,
         description = excluded.description, disabled_reason = null, disabled_at = null, announced_at = null,
         notice_due_at = null, consecutive_failures = 0, first_failure_at = null, last_failure_at = null,
         paused_until = null, probe_until = null, updated_at = now()
  returning ${ENDPOINT_COLUMNS}`;
