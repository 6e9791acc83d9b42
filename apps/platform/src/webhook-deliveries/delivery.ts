import type { DeliveryRow } from './delivery.entity.ts';

/** The states of a delivery, and which of them a replay may start from. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const REPLAYABLE: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed'];

/** A row of platform.delivery, as far as the API shows it. */
export type Delivery = Omit<
  DeliveryRow,
  'tenant_id' | 'schedule_step' | 'lease_token' | 'lease_until' | 'failed_at'
> & { waiting_for: 'endpoint' | null };

/** A delivery that a dispatcher left behind when it died is waiting again, whatever its row still says. */
export const DELIVERY_STATUS = `case when status = 'delivering' and lease_until <= now() then 'pending' else status end`;

/** An open delivery waits as long as its endpoint is disabled or paused: that is no state of its own. */
const ENDPOINT_HOLDS = `exists (select 1 from platform.webhook_endpoint w
  where w.id = delivery.endpoint_id and (not w.enabled or w.paused_until > now()))`;
const ENDPOINT_DISABLED = `exists (select 1 from platform.webhook_endpoint w
  where w.id = delivery.endpoint_id and not w.enabled)`;
const IS_PENDING = `(status = 'pending' or status = 'delivering' and lease_until <= now())`;

export const DELIVERY_COLUMNS = `id, event_id, endpoint_id, module, event_type, ${DELIVERY_STATUS} as status, attempts,
  case when ${IS_PENDING} and ${ENDPOINT_HOLDS} then 'endpoint' end as waiting_for,
  case when ${IS_PENDING} and not ${ENDPOINT_DISABLED} then next_attempt_at end as next_attempt_at, last_attempt_at,
  last_http_status, last_error, replay_run_id, delivered_at, created_at`;
