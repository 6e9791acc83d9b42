import type { EventModule } from '@constancia/contracts';

/** The states of a delivery, and which of them a replay may start from. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const REPLAYABLE: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed'];

/** A row of platform.delivery, as far as the API shows it. */
export interface Delivery {
  id: string;
  event_id: string;
  endpoint_id: string;
  module: EventModule;
  event_type: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  last_attempt_at: Date | null;
  last_http_status: number | null;
  last_error: string | null;
  replay_run_id: string | null;
  delivered_at: Date | null;
  created_at: Date;
}

/** A delivery that a dispatcher left behind when it died is waiting again, whatever its row still says. */
export const DELIVERY_STATUS = `case when status = 'delivering' and lease_until <= now() then 'pending' else status end`;

export const DELIVERY_COLUMNS = `id, event_id, endpoint_id, module, event_type, ${DELIVERY_STATUS} as status, attempts,
  case when status = 'pending' or lease_until <= now() then next_attempt_at end as next_attempt_at, last_attempt_at,
  last_http_status, last_error, replay_run_id, delivered_at, created_at`;
