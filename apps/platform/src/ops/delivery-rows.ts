import { typeId } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import { scrub } from '@constancia/telemetry';
import type { DeliveryStatus } from '../webhook-deliveries/delivery.ts';

/** A row of platform.ops_deliveries. */
export interface OpsDelivery {
  id: string;
  tenant_id: string;
  slug: string;
  endpoint_id: string;
  module: string;
  event_id: string;
  event_type: string;
  status: DeliveryStatus;
  attempts: number;
  last_http_status: number | null;
  last_error: string | null;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  replay_run_id: string | null;
  delivered_at: Date | null;
  created_at: Date;
}

/** Which deliveries; what is left out says nothing. */
export interface DeliveryFilter {
  id?: string | undefined;
  tenantId?: string | undefined;
  endpointId?: string | undefined;
  module?: string | undefined;
  status?: string | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  before?: { eventId: string; id: string } | undefined;
  limit: number;
}

/** Deliveries of any tenant, the newest first. */
export function deliveriesLike(database: Database, filter: DeliveryFilter): Promise<OpsDelivery[]> {
  return database.query<OpsDelivery>(
    'select * from platform.ops_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
    [
      filter.id ?? null,
      filter.tenantId ?? null,
      filter.endpointId ?? null,
      filter.module ?? null,
      filter.status ?? null,
      filter.eventType ?? null,
      filter.eventId ?? null,
      filter.since ?? null,
      filter.until ?? null,
      filter.before?.eventId ?? null,
      filter.before?.id ?? null,
      filter.limit,
    ],
  );
}

export function deliveryView(row: OpsDelivery) {
  return {
    id: typeId('dlv', row.id),
    tenant_id: row.tenant_id,
    slug: row.slug,
    module: row.module,
    endpoint_id: typeId('whe', row.endpoint_id),
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    last_http_status: row.last_http_status,
    last_error: row.last_error,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    replay_run_id: row.replay_run_id && typeId('run', row.replay_run_id),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** A row of platform.ops_attempts. */
export interface OpsAttempt {
  delivery_id: string;
  number: number;
  at: Date;
  duration_ms: number;
  http_status: number | null;
  error_code: string | null;
  error_detail: string | null;
  response_excerpt: string | null;
}

export function attemptsAt(database: Database, deliveryIds: string[]): Promise<OpsAttempt[]> {
  return database.query<OpsAttempt>('select * from platform.ops_attempts($1)', [deliveryIds]);
}

const EXCERPT = 300;

export function attemptView({ delivery_id: _, at, response_excerpt, ...attempt }: OpsAttempt) {
  return { ...attempt, at: at.toISOString(), response_excerpt: response_excerpt && excerptOf(response_excerpt) };
}

/** A receiver may echo what it was sent: numbers that could be a person's are hidden, beside what no log may hold. */
function excerptOf(text: string): string {
  return scrub(text, EXCERPT).replace(/\d[\d.\s-]{4,}\d/g, '[number]');
}

/** Where an endpoint is: what stands behind the question mark may be a credential. */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** The trace that the work which made an event belongs to (W3C Trace Context §3.2.2.3). */
export function traceIdOf(traceparent: string | null): string | null {
  return traceparent?.split('-')[1] ?? null;
}
