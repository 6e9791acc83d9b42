import {
  answer,
  ApiOptional,
  beginOf,
  Caller,
  IsLine,
  keysOfCursor,
  NoQuery,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page,
  ReasonBody,
  tenantNamed,
} from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { type OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { IsIn, Matches } from 'class-validator';
import { DELIVERY, DELIVERY_DETAIL } from './delivery-answers.ts';
import { IsEventTime } from './event-time.ts';
import { EVENT_MODULES, type EventModule, shape } from '@constancia/contracts';
import { hintEndpoint } from '@constancia/events';
import { typeId, uuidOf } from '@constancia/kernel';
import { Database, recordAct } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { DELIVERY_STATUSES, type DeliveryStatus, REPLAYABLE } from '../webhook-deliveries/delivery.ts';
import { isId } from '../webhook-deliveries/list-deliveries.ts';
import { putBackInLine } from '../webhook-deliveries/replay-delivery.ts';
import {
  addressOf, attemptsAt, attemptView, deliveriesLike, deliveryView, type OpsDelivery, traceIdOf,
} from './delivery-rows.ts'; // prettier-ignore
import { endpointsLike } from './endpoint-rows.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ENDED = ['failed', 'delivered'] as const;

/** The next attempt may be hours away: a receiver that is well again need not wait for it. */
const waits = ({ status, next_attempt_at }: OpsDelivery): boolean =>
  status === 'pending' && next_attempt_at !== null && next_attempt_at > new Date();

class DeliveriesQuery extends OpsPageQuery {
  @ApiOptional({ description: 'The slug or the id of a tenant.' })
  @IsLine(79)
  tenant?: string;

  @ApiOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;

  @ApiOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @ApiOptional()
  @IsLine(100)
  event_type?: string;

  @ApiOptional()
  @Matches(UUID, { message: 'must be a UUID' })
  event_id?: string;

  @ApiOptional({ description: 'A date-time, or a date (UTC), since 1970.' })
  @IsEventTime()
  since?: string;

  @ApiOptional({ description: 'A date-time, or a date (UTC), since 1970.' })
  @IsEventTime()
  until?: string;

  @ApiOptional({ example: 'whe_5hvztwtdm4hmh8h51n8zq8y5hc' })
  @Matches(new RegExp(shape.id('whe').pattern), { message: 'must be an id such as whe_5hvztwtdm4hmh8h51n8zq8y5hc' })
  endpoint?: string;
}

/** What operators see of deliveries, and how they send one again. */
@OpsController('ops/deliveries')
export class DeliveryActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Get()
  @OpsOperation('deliveries of one tenant or of all, newest first')
  @OpsAnswer(200, answer.page(DELIVERY))
  async listDeliveries(@Query() query: DeliveriesQuery) {
    const { module, status, event_type: eventType, event_id: eventId, tenant, endpoint, limit } = query;
    const before = keysOfCursor(query, [isId, isId]);
    const rows = await deliveriesLike(this.database, {
      ...{ module, status, eventType, eventId, limit: limit + 1 },
      since: beginOf(query.since),
      until: beginOf(query.until),
      tenantId: (await tenantNamed(this.database, tenant))?.id,
      endpointId: endpoint === undefined ? undefined : (uuidOf('whe', endpoint) ?? undefined),
      before: before && { eventId: String(before[0]), id: String(before[1]) },
    });
    const { data, next_cursor } = page(rows, limit, (row) => [row.event_id, row.id]);
    return { data: data.map(deliveryView), next_cursor };
  }

  @Get(':id')
  @OpsOperation('a delivery with its endpoint and its attempts')
  @OpsAnswer(200, DELIVERY_DETAIL)
  async showDelivery(@Param('id') id: string, @Query() _query: NoQuery) {
    const row = await this.find(id);
    const [attempts, [endpoint], [event]] = await Promise.all([
      attemptsAt(this.database, [row.id]),
      endpointsLike(this.database, { ids: [row.endpoint_id], limit: 1 }),
      this.database.query<{ traceparent: string | null }>('select traceparent from platform.ops_event($1)', [
        row.event_id,
      ]),
    ]);
    return {
      ...deliveryView(row),
      endpoint: endpoint
        ? {
            id: typeId('whe', endpoint.id),
            url: addressOf(endpoint.url),
            enabled: endpoint.enabled,
            disabled_reason: endpoint.disabled_reason,
            paused_until: endpoint.paused_until?.toISOString() ?? null,
            consecutive_failures: endpoint.consecutive_failures,
          }
        : null,
      attempts_list: attempts.map(attemptView),
      trace_id: traceIdOf(event?.traceparent ?? null),
      event_kept: event !== undefined,
    };
  }

  @Post(':id/replay')
  @HttpCode(202)
  @OpsOperation('send a delivery again')
  @OpsAnswer(202, DELIVERY)
  async replayDelivery(
    @Param('id') id: string,
    @Body() { reason }: ReasonBody,
    @Caller() { name: operator }: OpsCaller,
  ) {
    const row = await this.find(id);
    const delivery = await this.database.tenant(row.tenant_id, async (tx) => {
      const again = await putBackInLine(tx, row.tenant_id, row.id, waits(row) ? REPLAYABLE : ENDED);
      const data = { delivery_id: id, event_id: row.event_id, from: row.status, reason };
      await recordAct(tx, { type: 'delivery.replayed', operator, tenantId: row.tenant_id, data });
      return again;
    });
    hintEndpoint(this.queues, delivery.endpoint_id);
    return deliveryView({ ...row, ...delivery });
  }

  private async find(id: string): Promise<OpsDelivery> {
    const uuid = uuidOf('dlv', id);
    const [row] = uuid === null ? [] : await deliveriesLike(this.database, { id: uuid, limit: 1 });
    if (!row) {
      throw new NotFound(
        'There is no delivery of this id: GET /ops/deliveries lists them, GET /ops/trace/<event_id> shows what became of an event.',
      );
    }
    return row;
  }
}
