import { EVENT_TYPES, EVERY_MODULE_EVENT_TYPES } from '@constancia/contracts';
import type { EventModule } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import { currentTraceparent } from '@constancia/telemetry';

/** What happened, as the emitting module knows it. */
export interface EventFacts {
  tenantId: string;
  module: EventModule;
  type: string;
  /** Plain JSON, snake_case: what the receiver reads under `payload`. */
  payload: Record<string, unknown>;
  occurredAt?: Date;
  /** It is a test: the body says so. */
  test?: true;
  /** A UUIDv7; given by callers that must be able to emit the same event twice with one effect. */
  eventId?: string;
  /** W3C trace context of the work that made the event; sent to the receiver. Left out: the running span's. */
  traceparent?: string | null;
}

/** An event as it is stored: `body` is the exact text that every attempt and replay sends. Columns of platform.event. */
export interface EventRecord {
  event_id: string;
  tenant_id: string;
  module: EventModule;
  event_type: string;
  /** ISO 8601 UTC with milliseconds. */
  occurred_at: string;
  body: string;
  traceparent: string | null;
}

const KNOWN = new Map<EventModule, ReadonlySet<string>>();

function knownTypesOf(module: EventModule): ReadonlySet<string> {
  const known =
    KNOWN.get(module) ?? new Set([...EVENT_TYPES[module], ...EVERY_MODULE_EVENT_TYPES, ...EVENT_TYPES.billing]);
  KNOWN.set(module, known);
  return known;
}

/** The event types that an endpoint of this module may receive. */
export const eventTypesOf = (module: EventModule): readonly string[] => [...knownTypesOf(module)];

/**
 * Builds an event: its id, and its body text `{event_id, tenant_id, module, event_type, occurred_at, payload}` serialised
 * once and for ever. Throws TypeError for an event type that libs/contracts does not know of this module.
 */
export function eventRecord(facts: EventFacts): EventRecord {
  if (!knownTypesOf(facts.module).has(facts.type)) {
    throw new TypeError(`module ${facts.module} has no event type ${facts.type}: add it to libs/contracts first`);
  }
  const envelope = {
    event_id: facts.eventId ?? uuidv7(),
    tenant_id: facts.tenantId,
    module: facts.module,
    event_type: facts.type,
    occurred_at: (facts.occurredAt ?? new Date()).toISOString(),
  };
  return {
    ...envelope,
    body: JSON.stringify({ ...envelope, test: facts.test, payload: facts.payload }),
    traceparent: facts.traceparent ?? currentTraceparent() ?? null,
  };
}
