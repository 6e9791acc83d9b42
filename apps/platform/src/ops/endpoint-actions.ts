import { isUuid, typeId, uuidOf } from '@constancia/kernel';
import { type Database, recordAct, type Tx } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, OpsRefusal, type OpsRequest } from '@constancia/telemetry';
import { endpointsLike, endpointView, type OpsEndpoint } from './endpoint-rows.ts';
import { tenantIn } from './named-tenant.ts';

const HEALTH = ['failing', 'paused', 'disabled'] as const;
const WEEK_MINUTES = 7 * 24 * 60;

/** What operators see of endpoints, and how they hold one back for a while. */
export class EndpointActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  get actions(): OpsAction[] {
    return [
      {
        method: 'GET',
        path: /^\/ops\/endpoints$/,
        about: 'webhook endpoints of one tenant or of all; health: failing, paused or disabled',
        handle: (request) => this.list(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/endpoints\/(?<id>[^/]+)\/pause$/,
        about: 'attempt nothing for some minutes; nothing is lost',
        handle: (request) => this.pause(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/endpoints\/(?<id>[^/]+)\/resume$/,
        about: 'go on at once; enables what was disabled as failing or gone',
        handle: (request) => this.resume(request),
      },
    ];
  }

  private async list({ query }: OpsRequest): Promise<OpsAnswer> {
    const fields = OpsFields.ofQuery(query, ['tenant', 'health', 'limit', 'cursor']);
    const [after] = fields.cursor([(key) => typeof key === 'string' && isUuid(key)]) ?? [];
    const limit = fields.limit();
    const rows = await endpointsLike(this.database, {
      health: fields.choice('health', HEALTH),
      tenantId: (await tenantIn(this.database, fields))?.id,
      after: after as string | undefined,
      limit: limit + 1,
    });
    return { status: 200, body: opsPage(rows, limit, ({ id }) => [id], endpointView) };
  }

  private async pause({ params, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const fields = await OpsFields.ofBody(body, ['minutes', 'reason']);
    const minutes = fields.needed('minutes', fields.whole('minutes', { min: 1, max: WEEK_MINUTES }));
    const reason = fields.reason();
    const endpoint = await this.find(params.id);
    if (!endpoint.enabled) throw new OpsRefusal(409, 'The endpoint is disabled: nothing is attempted there anyway.');
    await this.act(endpoint, PAUSE, [minutes], { type: 'endpoint.paused', operator, data: { minutes, reason } });
    return this.answer(params.id);
  }

  private async resume({ params, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const reason = (await OpsFields.ofBody(body, ['reason'])).reason();
    const endpoint = await this.find(params.id);
    if (!endpoint.enabled && endpoint.disabled_reason === null) {
      throw new OpsRefusal(409, 'The tenant has disabled this endpoint itself: only the tenant enables it again.');
    }
    const { disabled_reason } = endpoint;
    await this.act(endpoint, RESUME, [], { type: 'endpoint.resumed', operator, data: { disabled_reason, reason } });
    this.queues.hint('webhook-delivery', { v: 1, endpoint_id: endpoint.id }, `ep-${endpoint.id}`);
    return this.answer(params.id);
  }

  private async act(
    { id, tenant_id, module }: OpsEndpoint,
    sql: string,
    params: unknown[],
    act: Omit<Parameters<typeof recordAct>[1], 'tenantId'>,
  ): Promise<void> {
    await this.database.tenant(tenant_id, async (tx: Tx) => {
      const rows = await tx.query(sql, [tenant_id, id, ...params]);
      if (rows.length === 0)
        throw new OpsRefusal(409, 'The endpoint was changed at this very moment: look at it again.');
      await recordAct(tx, { ...act, tenantId: tenant_id, data: { endpoint_id: endpointId(id), module, ...act.data } });
    });
  }

  private async answer(id: string | undefined): Promise<OpsAnswer> {
    return { status: 200, body: endpointView(await this.find(id)) };
  }

  private async find(id = ''): Promise<OpsEndpoint> {
    const uuid = uuidOf('whe', id);
    const [row] = uuid === null ? [] : await endpointsLike(this.database, { ids: [uuid], limit: 1 });
    if (!row) throw new OpsRefusal(404, 'There is no endpoint of this id: GET /ops/endpoints lists them.');
    return row;
  }
}

const endpointId = (uuid: string): string => typeId('whe', uuid);

/** A pause that the receiver asked for (Retry-After) and that is longer stays as it is. */
const PAUSE = `
  update platform.webhook_endpoint set paused_until = greatest(paused_until, now() + make_interval(mins => $3)), updated_at = now()
   where tenant_id = $1 and id = $2 and enabled returning id`;

const RESUME = `
  update platform.webhook_endpoint
     set paused_until = null, probe_until = null, updated_at = now(), enabled = true,
         consecutive_failures = case when enabled then consecutive_failures else 0 end,
         first_failure_at = case when enabled then first_failure_at end,
         last_failure_at = case when enabled then last_failure_at end,
         disabled_reason = null, disabled_at = null, announced_at = null, notice_due_at = null
   where tenant_id = $1 and id = $2 and (enabled or disabled_reason is not null) returning id`;
