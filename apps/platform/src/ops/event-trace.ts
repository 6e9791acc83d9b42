import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import type { StatementLine } from '@constancia/credit-ledger';
import { endpointIdOf } from '@constancia/events';
import { ID_PREFIXES, isUuid, typeId, uuidOf, uuidTime } from '@constancia/kernel';
import { type StoryLine, timeline } from '@constancia/telemetry';
import type { EventRow } from '../events/event.entity.ts';
import type { OpsAttempt, OpsDelivery } from './delivery-rows.ts';
import type { OpsEndpoint } from './endpoint-rows.ts';

/** A row of platform.ops_event. */
export type TracedEvent = Pick<
  EventRow,
  'event_id' | 'tenant_id' | 'module' | 'event_type' | 'occurred_at' | 'traceparent'
> & { slug: string; ids: Record<string, string> | null };

/** A row of platform.ops_entries. */
export type TracedEntry = Pick<StatementLine, 'id' | 'kind' | 'amount' | 'ref_type' | 'ref_id' | 'created_at'>;

/** What an event can be about, the most specific first. */
const ABOUT = [
  'signature_request_id', 'signature_id', 'envelope_id', 'session_id', 'case_id', 'screening_id', 'subject_id', 'endpoint_id',
]; // prettier-ignore

/** The thing that an event is about: its id as the API shows it, and as it is kept. */
export interface About {
  type: string;
  id: string;
  uuid: string;
}

/** The ids of an event's payload, the most specific first. */
export function aboutOf(ids: Record<string, string> | null): About[] {
  const rank = (name: string) => (ABOUT.indexOf(name) + ABOUT.length + 1) % (ABOUT.length + 1);
  return Object.entries(ids ?? {})
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .flatMap(([name, id]) => {
      const prefix = ID_PREFIXES.find((one) => id.startsWith(`${one}_`));
      const uuid = prefix === undefined ? (isUuid(id) ? id : null) : uuidOf(prefix, id);
      return uuid === null ? [] : [{ type: name.replace(/_id$/, ''), id, uuid }];
    });
}

/** The endpoint that an event of this module goes to. */
export function endpointFor({ tenant_id, module }: Pick<TracedEvent, 'tenant_id' | 'module'>): string | undefined {
  const known = (EVENT_MODULES as readonly string[]).includes(module);
  return known ? endpointIdOf(tenant_id, module as EventModule) : undefined;
}

export interface Trace {
  event: TracedEvent;
  about: About | undefined;
  ledger: TracedEntry[];
  deliveries: OpsDelivery[];
  attempts: OpsAttempt[];
  /** Of its deliveries; without any, that of the event's module. */
  endpoints: OpsEndpoint[];
  /** What else is known of the thing. */
  more: readonly StoryLine[];
}

/** From the request to the last attempt. */
export function tracedTimeline({ event, about, ledger, deliveries, attempts, more }: Trace): StoryLine[] {
  const line = (at: Date, where: string, what: string, detail: string) => ({
    ...{ at: at.toISOString(), where, what, detail },
  });
  return timeline([
    ...(about && about.uuid[14] === '7' ? [line(uuidTime(about.uuid), event.module, 'accepted', about.id)] : []),
    ...more,
    ...ledger.map((entry) =>
      line(entry.created_at, 'ledger', entry.kind, `${entry.amount} credits, ${entry.ref_type}`),
    ),
    line(event.occurred_at, 'outbox', 'event', `${event.event_type} ${event.event_id}`),
    ...deliveries.map((delivery) =>
      line(
        delivery.created_at,
        'webhooks',
        'delivery',
        `${typeId('dlv', delivery.id)} to the endpoint of ${delivery.module}`,
      ),
    ),
    ...attempts.map((attempt) =>
      line(
        attempt.at,
        'receiver',
        `attempt ${attempt.number}`,
        `${attempt.http_status ?? attempt.error_code ?? 'no answer'} after ${attempt.duration_ms} ms`,
      ),
    ),
  ]);
}

/** In one or two sentences: where the event is, and what can be done. */
export function verdict({ event, deliveries, endpoints }: Trace, now = new Date()): string {
  if (deliveries.length === 0) return whyNone(event, endpoints[0]);
  return deliveries
    .map((delivery) =>
      fate(
        delivery,
        endpoints.find(({ id }) => id === delivery.endpoint_id),
        now,
      ),
    )
    .join(' ');
}

const MISSING = 'Once it has one, POST /webhook-deliveries/replays {"missing": true} sends earlier events.';

function whyNone({ module, event_type }: TracedEvent, endpoint: OpsEndpoint | undefined): string {
  if (!endpoint) {
    return `No delivery was made: the tenant has no endpoint for ${module}. ${MISSING}`;
  }
  if (endpoint.event_types.length > 0 && !endpoint.event_types.includes(event_type)) {
    return `No delivery was made: the endpoint of ${module} is not subscribed to ${event_type} (it is to ${endpoint.event_types.join(', ')}).`;
  }
  return `No delivery was made: the endpoint of ${module} was registered or subscribed only after the event. ${MISSING}`;
}

function fate(delivery: OpsDelivery, endpoint: OpsEndpoint | undefined, now: Date): string {
  const id = typeId('dlv', delivery.id);
  const last = delivery.last_http_status ?? delivery.last_error ?? 'nothing';
  const times = `${delivery.attempts} ${delivery.attempts === 1 ? 'attempt' : 'attempts'}`;
  if (delivery.status === 'delivered')
    return `${id} was delivered at ${delivery.delivered_at?.toISOString()}, after ${times}.`;
  if (delivery.status === 'failed')
    return `${id} failed after ${times} (last: ${last}). POST /ops/deliveries/${id}/replay sends it again.`;
  if (delivery.status === 'delivering') return `${id} is being attempted now.`;
  if (endpoint && !endpoint.enabled) {
    const who = endpoint.disabled_reason === null ? 'by the tenant' : `as ${endpoint.disabled_reason}`;
    return `${id} waits for its endpoint, which is disabled ${who}: it is sent once that is enabled.`;
  }
  if (endpoint?.paused_until)
    return `${id} waits: its endpoint is paused until ${endpoint.paused_until.toISOString()}.`;
  const due = delivery.next_attempt_at;
  if (due && due > now)
    return `${id} waits for its next attempt at ${due.toISOString()}, after ${times} (last: ${last}).`;
  return `${id} is due since ${due?.toISOString()}: see GET /ops/lag when it stays so.`;
}
