import { EVENT_MODULES, type EventModule, shape } from '@constancia/contracts';
import { endpointIdOf, eventTypesOf } from '@constancia/events';
import {
  ApiOptional,
  ApiProblems,
  beginOf,
  CurrentTenant,
  endOf,
  IsInstant,
  keysOfCursor,
  OrderedPageQuery,
  page,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { isUuid, uuidFloor, uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { DeliveryPage, DeliveryView } from './delivery-view.ts';
import {
  type Delivery,
  DELIVERY_COLUMNS,
  DELIVERY_STATUS,
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from './delivery.ts';

export class DeliveriesQuery extends OrderedPageQuery {
  @ApiOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @ApiOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;

  @ApiOptional({ example: 'seal.signature.completed' })
  @IsString()
  @MaxLength(100)
  event_type?: string;

  @ApiOptional({ example: 'whe_5hvztwtdm4hmh8h51n8zq8y5hc' })
  @Matches(new RegExp(shape.id('whe').pattern), { message: 'must be the id of an endpoint' })
  endpoint_id?: string;

  @ApiOptional()
  @IsUUID()
  event_id?: string;

  @ApiOptional({ description: 'Events from this time on: a date-time, or a date (UTC).' })
  @IsInstant()
  from?: string;

  @ApiOptional({ description: 'Events before this time; a date (UTC) includes that day.' })
  @IsInstant()
  to?: string;
}

export const isId = (key: string | number): boolean => typeof key === 'string' && isUuid(key);

/** GET /webhook-deliveries: the newest event first. */
@Controller('webhook-deliveries')
@ApiTags('Webhooks')
export class ListDeliveries {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries, newest event first',
    description: 'One delivery for each event and endpoint. The filters may be combined.',
  })
  @ApiOkResponse({ type: DeliveryPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: DeliveriesQuery): Promise<DeliveryPage> {
    const [sql, params] = deliveriesSql(tenant.id, query);
    const rows = await this.database.tenant(tenant.id, (tx) => tx.query<Delivery>(sql, params));
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.event_id, row.id]);
    return { data: data.map((row) => DeliveryView.of(row)), next_cursor };
  }
}

/**
 * event_id is time-ordered, so times are ranges of it: one index serves order, cursor, event and times. For an endpoint, a type or a module
 * the newest of each endpoint and type are read, and the newest of them all taken.
 */
export function deliveriesSql(tenantId: string, query: DeliveriesQuery): [sql: string, params: unknown[]] {
  const params: unknown[] = [tenantId];
  const where = ['tenant_id = $1'];
  const add = (condition: (name: string) => string, value: unknown) => {
    params.push(value);
    where.push(condition(`$${params.length}`));
  };
  if (query.status !== undefined) add((name) => `${DELIVERY_STATUS} = ${name}`, query.status);
  if (query.status === 'failed') where.push('failed_at is not null'); // has an index of its own
  if (query.status === 'pending' || query.status === 'delivering') {
    where.push('next_attempt_at is not null'); // so has what is open, by endpoint: few among millions that are done
    add((name) => `endpoint_id = any(${name}::uuid[] || ${OTHER_ENDPOINTS})`, endpointsOf(tenantId, query.module));
  }
  if (query.module !== undefined) add((name) => `module = ${name}`, query.module);
  if (query.event_type !== undefined) add((name) => `event_type = ${name}`, query.event_type);
  if (query.endpoint_id !== undefined) add((name) => `endpoint_id = ${name}`, uuidOf('whe', query.endpoint_id));
  if (query.event_id !== undefined) add((name) => `event_id = ${name}`, query.event_id);
  if (query.from !== undefined) add((name) => `event_id >= ${name}`, eventIdAt(beginOf(query.from)));
  if (query.to !== undefined) add((name) => `event_id < ${name}`, eventIdAt(endOf(query.to)));
  const after = keysOfCursor(query, [isId, isId]);
  const beyond = query.order === 'asc' ? '>' : '<';
  if (after) where.push(`(event_id, id) ${beyond} ($${params.push(after[0])}, $${params.push(after[1])})`);
  const end = `order by event_id ${query.order}, id ${query.order} limit $${params.push(query.limit + 1)}`;
  const select = (more = '') =>
    `select ${DELIVERY_COLUMNS} from platform.delivery where ${where.join(' and ')}${more} ${end}`;
  const { endpoint_id: endpoint, event_type: type, module } = query;
  const byPair = query.status === undefined || query.status === 'delivered'; // the others are few
  if (!byPair || (endpoint ?? type ?? module) === undefined || query.event_id !== undefined) return [select(), params];
  const types = module === undefined ? null : eventTypesOf(module);
  const each = `(${select(' and endpoint_id = p.endpoint_id and event_type = p.event_type')}) d`;
  return [
    `${PAIRS} select d.* from pair p cross join lateral ${each}
      where p.endpoint_id = coalesce($${params.push(endpoint === undefined ? null : uuidOf('whe', endpoint))}, p.endpoint_id)
        and p.event_type = coalesce($${params.push(type ?? null)}, p.event_type)
        and p.event_type = any(coalesce($${params.push(types)}::text[], array[p.event_type])) ${end}`,
    params,
  ];
}

/** The endpoints and types that a tenant has deliveries of: each one look into the index of both. */
const PAIRS = `with recursive pair(endpoint_id, event_type) as (
  (select endpoint_id, event_type from platform.delivery where tenant_id = $1 order by endpoint_id, event_type limit 1)
  union all
  select n.endpoint_id, n.event_type from pair p cross join lateral (
    select d.endpoint_id, d.event_type from platform.delivery d
     where d.tenant_id = $1 and (d.endpoint_id, d.event_type) > (p.endpoint_id, p.event_type)
     order by d.endpoint_id, d.event_type limit 1) n)`;

/** Those that are not the one of a module. */
const OTHER_ENDPOINTS = `array(select w.id from platform.webhook_endpoint w where w.tenant_id = $1 and w.module is null)`;

/** The ids of the modules' own endpoints follow from tenant and module, whether the endpoint is still there or not. */
function endpointsOf(tenantId: string, module: EventModule | undefined): string[] {
  return (module === undefined ? EVENT_MODULES : [module]).map((one) => endpointIdOf(tenantId, one));
}

/** Event ids begin with 1970; so does every period. */
export function eventIdAt(instant: Date | undefined): string {
  return uuidFloor(new Date(Math.max(0, instant?.getTime() ?? 0)));
}
