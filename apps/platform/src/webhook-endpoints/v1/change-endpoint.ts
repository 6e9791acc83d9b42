import { AuditLog, changedValues } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, type Tenant } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { hintEndpoint } from '@constancia/events';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditedEndpoint, endpointObject } from '../audited-endpoint.ts';
import { ENDPOINT_COLUMNS, requireEndpointId, type WebhookEndpoint } from '../webhook-endpoint.ts';
import { WebhookTargets } from '../webhook-targets.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { EndpointChangesBody } from './endpoint-body.ts';
import { EndpointView } from './endpoint-view.ts';
import { refusedTypes } from './subscription.ts';

/** PATCH /v1/webhook-endpoints/{id}. */
@Controller('v1/webhook-endpoints')
@ApiTags('Webhooks')
export class ChangeEndpoint {
  constructor(
    private readonly database: Database,
    private readonly targets: WebhookTargets,
    private readonly queues: Queues,
  ) {}

  @Patch(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'changeWebhookEndpoint',
    summary: 'Change an endpoint',
    description:
      'What is left out stays. `enabled: true` forgets failures, ends a pause, and sends what waited; another `url` forgets ' +
      'failures and why the former address was disabled, ends a pause, and tries at once what would be tried again later, ' +
      'too. A disabled endpoint stays so until `enabled: ' +
      'true`, which may be in the same request. The endpoint of a module keeps its module.',
  })
  @ApiOkResponse({ type: EndpointView })
  @ApiProblems('validation-error', 'not-found')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: EndpointChangesBody,
    @ClientIp() origin: string,
  ): Promise<EndpointView> {
    const { tenant } = principal;
    const uuid = uuidOf('whe', id);
    const before = await this.database.tenant(tenant.id, (tx) => requireEndpointId(tx, tenant.id, uuid));
    const { url, modules, eventTypes } = await this.checked(before, body);
    const changed = await this.database.tenant(tenant.id, async (tx) => {
      const [row] = await tx.query<WebhookEndpoint>(CHANGE, [
        ...[tenant.id, uuid, url ?? null, modules, eventTypes, body.enabled ?? null],
        ...[body.description !== undefined, body.description ?? null],
      ]);
      if (!row) return undefined;
      if (body.enabled || row.url !== before.url) await tx.query(SEND_NOW, [tenant.id, row.id, MOST_SENT_NOW]);
      const values = changedValues(auditedEndpoint(before), auditedEndpoint(row));
      const entry = { action: 'webhook_endpoint.changed', object: endpointObject(row), ...values } as const;
      await AuditLog.record(tx, { principal, ...entry, origin });
      return row;
    });
    if (!changed) return this.gone(tenant, uuid);
    if (body.enabled || changed.url !== before.url) hintEndpoint(this.queues, changed.id);
    return EndpointView.of(changed);
  }

  private async checked(before: WebhookEndpoint, body: EndpointChangesBody) {
    if (before.modules !== null) {
      const subscribed = { modules: before.modules, eventTypes: before.event_types };
      const { url, subscription } = await checkEndpoint(this.targets, body, subscribed);
      return { url, ...subscription };
    }
    const module = before.module as NonNullable<typeof before.module>;
    const errors = refusedTypes(body.event_types ?? [], [module]);
    if (body.modules) {
      const detail = `This is the endpoint of ${module}: create another one for other modules.`;
      errors.push({ pointer: '/modules', code: 'not_allowed', detail });
    }
    if (errors.length > 0) throw new ValidationError(errors);
    const rest = { url: body.url, modules: [module] };
    const { url } = await checkEndpoint(this.targets, rest);
    return { url, modules: null, eventTypes: body.event_types ?? before.event_types };
  }

  /** It was deleted at this moment: answers as for an endpoint that is not there. */
  private gone(tenant: Tenant, uuid: string | null): Promise<never> {
    return this.database.tenant(tenant.id, (tx) => requireEndpointId(tx, tenant.id, uuid)) as Promise<never>;
  }
}

/** More of one endpoint keep the times of their next attempts: the change is answered without waiting for them. */
const MOST_SENT_NOW = 10_000;
/** What would be tried again later is tried now. */
const SEND_NOW = `
  update platform.delivery set next_attempt_at = now()
   where id in (select id from platform.delivery
                 where tenant_id = $1 and endpoint_id = $2 and next_attempt_at > now() and lease_token is null
                 order by next_attempt_at limit $3 for update skip locked)`;

/** What was found of it was found of another address. */
const ELSEWHERE = '(coalesce($3, url) <> url)';
/** The same, or it is enabled ($6), as PUT does it. */
const AFRESH = `($6 is true or ${ELSEWHERE})`;
/** Why the service disabled it, and whom it told, holds no longer: a person has decided, or it is another address. */
const DECIDED = `($6 is not null or ${ELSEWHERE})`;

const CHANGE = `
  update platform.webhook_endpoint
     set url = coalesce($3, url), modules = $4, event_types = $5, enabled = coalesce($6, enabled),
         description = case when $7 then $8 else description end,
         disabled_reason = case when not ${DECIDED} then disabled_reason end,
         disabled_at = case when not ${DECIDED} then disabled_at end,
         announced_at = case when not ${DECIDED} then announced_at end,
         notice_due_at = case when not ${DECIDED} then notice_due_at end,
         consecutive_failures = case when ${AFRESH} then 0 else consecutive_failures end,
         first_failure_at = case when not ${AFRESH} then first_failure_at end,
         last_failure_at = case when not ${AFRESH} then last_failure_at end,
         paused_until = case when not ${AFRESH} then paused_until end,
         probe_until = case when not ${AFRESH} then probe_until end, updated_at = now()
   where tenant_id = $1 and id = $2
  returning ${ENDPOINT_COLUMNS}`;
