import type { DeliveryHint, EventModule } from '@constancia/contracts';
import { uuidv8Of } from '@constancia/kernel';
import type { EventRecord } from './event-record.ts';

/**
 * The id of the endpoint that PUT registers for a tenant and a module: a UUIDv8 made of both, so that an emitter can name the
 * endpoint to wake without asking the database.
 */
export function endpointIdOf(tenantId: string, module: EventModule): string {
  return uuidv8Of(`webhook-endpoint:${tenantId}:${module}`);
}

/** The part of libs/queue that a hint needs. */
export interface HintQueue {
  hint(name: 'webhook-delivery', message: DeliveryHint, dedupId: string): void;
}

/**
 * Tells the dispatcher that these events wait, AFTER the transaction that emitted them has committed. Never waits and
 * never throws; a lost hint costs the dispatcher's sweep interval (a quarter of a second), nothing else.
 */
export function hintDeliveries(queues: HintQueue, events: readonly Pick<EventRecord, 'tenant_id' | 'module'>[]): void {
  for (const endpointId of new Set(events.map((event) => endpointIdOf(event.tenant_id, event.module)))) {
    hintEndpoint(queues, endpointId);
  }
}

/** The same for one endpoint: one that POST /v1/webhook-endpoints created has an id that follows from nothing. */
export function hintEndpoint(queues: HintQueue, endpointId: string): void {
  queues.hint('webhook-delivery', { v: 1, endpoint_id: endpointId }, `ep-${endpointId}`);
}
