import { typeId } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import { scrub } from '@constancia/telemetry';
import type { DeliveryAttemptRow } from '../webhook-deliveries/delivery-attempt.entity.ts';
import type { DeliveryRow } from '../webhook-deliveries/delivery.entity.ts';

/** A row of platform.ops_deliveries. */
export type OpsDelivery = Omit<DeliveryRow, 'schedule_step' | 'lease_token' | 'lease_until' | 'failed_at'> & {
  slug: string;
};

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
      ...[
        filter.id,
        filter.tenantId,
        filter.endpointId,
        filter.module,
        filter.status,
        filter.eventType,
        filter.eventId,
      ],
      ...[filter.since, filter.until, filter.before?.eventId, filter.before?.id, filter.limit],
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
export type OpsAttempt = Omit<DeliveryAttemptRow, 'id' | 'tenant_id' | 'first_byte_ms' | 'url'>;

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
