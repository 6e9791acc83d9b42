import { EVENT_MODULES } from '@constancia/contracts';
import { hintEndpoint } from '@constancia/events';
import { isUuid, typeId, uuidOf } from '@constancia/kernel';
import { type Database, recordAct } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, OpsRefusal, type OpsRequest } from '@constancia/telemetry';
import { DELIVERY_STATUSES, REPLAYABLE } from '../webhook-deliveries/delivery.ts';
import { putBackInLine } from '../webhook-deliveries/replay-delivery.ts';
import {
  addressOf, attemptsAt, attemptView, deliveriesLike, deliveryView, type OpsDelivery, traceIdOf,
} from './delivery-rows.ts'; // prettier-ignore
import { endpointsLike } from './endpoint-rows.ts';
import { tenantIn } from './named-tenant.ts';

const FILTERS = [
  'tenant', 'module', 'status', 'event_type', 'event_id', 'since', 'until', 'endpoint', 'limit', 'cursor',
]; // prettier-ignore

const ENDED = ['failed', 'delivered'] as const;

/** The next attempt may be hours away: a receiver that is well again need not wait for it. */
const waits = ({ status, next_attempt_at }: OpsDelivery): boolean =>
  status === 'pending' && next_attempt_at !== null && next_attempt_at > new Date();

const isId = (key: string | number): boolean => typeof key === 'string' && isUuid(key);

/** What operators see of deliveries, and how they send one again. */
export class DeliveryActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  get actions(): OpsAction[] {
    return [
      {
        method: 'GET',
        path: /^\/ops\/deliveries$/,
        about: 'deliveries of one tenant or of all, newest first',
        handle: (request) => this.list(request),
      },
      {
        method: 'GET',
        path: /^\/ops\/deliveries\/(?<id>[^/]+)$/,
        about: 'a delivery with its endpoint and its attempts',
        handle: (request) => this.show(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/deliveries\/(?<id>[^/]+)\/replay$/,
        about: 'send a delivery again',
        handle: (request) => this.replay(request),
      },
    ];
  }

  private async list({ query }: OpsRequest): Promise<OpsAnswer> {
    const fields = OpsFields.ofQuery(query, FILTERS);
    const before = fields.cursor([isId, isId]);
    const limit = fields.limit();
    const endpoint = fields.text('endpoint', { max: 40 });
    const endpointId = endpoint === undefined ? undefined : uuidOf('whe', endpoint);
    if (endpointId === null)
      throw new OpsRefusal(400, 'endpoint in the query must be an id such as whe_5hvztwtdm4hmh8h51n8zq8y5hc.');
    const eventId = fields.text('event_id', { max: 36 });
    if (eventId !== undefined && !isUuid(eventId)) throw new OpsRefusal(400, 'event_id in the query must be a UUID.');
    const rows = await deliveriesLike(this.database, {
      module: fields.choice('module', EVENT_MODULES),
      status: fields.choice('status', DELIVERY_STATUSES),
      eventType: fields.text('event_type', { max: 100 }),
      since: fields.instant('since'),
      until: fields.instant('until'),
      tenantId: (await tenantIn(this.database, fields))?.id,
      endpointId,
      eventId,
      before: before && { eventId: String(before[0]), id: String(before[1]) },
      limit: limit + 1,
    });
    return { status: 200, body: opsPage(rows, limit, (row) => [row.event_id, row.id], deliveryView) };
  }

  private async show({ params, query }: OpsRequest): Promise<OpsAnswer> {
    OpsFields.ofQuery(query, []);
    const row = await this.find(params.id);
    const [attempts, [endpoint], [event]] = await Promise.all([
      attemptsAt(this.database, [row.id]),
      endpointsLike(this.database, { ids: [row.endpoint_id], limit: 1 }),
      this.database.query<{ traceparent: string | null }>('select traceparent from platform.ops_event($1)', [
        row.event_id,
      ]),
    ]);
    const body = {
      ...deliveryView(row),
      endpoint: endpoint && {
        id: typeId('whe', endpoint.id),
        url: addressOf(endpoint.url),
        enabled: endpoint.enabled,
        disabled_reason: endpoint.disabled_reason,
        paused_until: endpoint.paused_until?.toISOString() ?? null,
        consecutive_failures: endpoint.consecutive_failures,
      },
      attempts_list: attempts.map(attemptView),
      trace_id: traceIdOf(event?.traceparent ?? null),
      event_kept: event !== undefined,
    };
    return { status: 200, body: { ...body, endpoint: body.endpoint ?? null } };
  }

  private async replay({ params, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const reason = (await OpsFields.ofBody(body, ['reason'])).reason();
    const row = await this.find(params.id);
    const delivery = await this.database.tenant(row.tenant_id, async (tx) => {
      const again = await putBackInLine(tx, row.tenant_id, row.id, waits(row) ? REPLAYABLE : ENDED);
      const { id, event_id } = deliveryView(row);
      const data = { delivery_id: id, event_id, from: row.status, reason };
      await recordAct(tx, { type: 'delivery.replayed', operator, tenantId: row.tenant_id, data });
      return again;
    });
    hintEndpoint(this.queues, delivery.endpoint_id);
    return { status: 202, body: deliveryView({ ...row, ...delivery }) };
  }

  private async find(id = ''): Promise<OpsDelivery> {
    const uuid = uuidOf('dlv', id);
    const [row] = uuid === null ? [] : await deliveriesLike(this.database, { id: uuid, limit: 1 });
    if (!row) {
      throw new OpsRefusal(
        404,
        'There is no delivery of this id: GET /ops/deliveries lists them, GET /ops/trace/<event_id> tells what became of an event.',
      );
    }
    return row;
  }
}
