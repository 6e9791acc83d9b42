import { EVENT_MODULES, EVENT_TYPES, type EventModule, EVERY_MODULE_EVENT_TYPES } from '@constancia/contracts';
import { eventTypesOf } from '@constancia/events';
import type { FieldError } from '@constancia/problem-json';

export interface Subscription {
  modules: EventModule[];
  eventTypes: string[];
}

/** What a request says of a subscription; undefined: nothing. */
export interface SubscriptionFacts {
  modules?: EventModule[] | undefined;
  event_types?: string[] | undefined;
}

/**
 * The subscription that modules, event types or both describe: types alone mean the modules that emit them, modules alone all
 * of their types. `before`: what stays where the request says nothing.
 */
export function subscriptionOf(facts: SubscriptionFacts, before?: Subscription): Subscription | FieldError[] {
  const eventTypes = facts.event_types ?? before?.eventTypes ?? [];
  const modules =
    facts.modules ?? (eventTypes.length > 0 && facts.event_types ? modulesOf(eventTypes) : before?.modules);
  if (modules === undefined) {
    return [{ pointer: '/modules', code: 'required', detail: 'Give modules, or event_types, or both.' }];
  }
  const errors = refusedTypes(eventTypes, facts.modules ?? EVENT_MODULES);
  return errors.length > 0 ? errors : { modules, eventTypes };
}

/** Event types that none of these modules emits, at their places. */
export function refusedTypes(types: readonly string[], modules: readonly EventModule[]): FieldError[] {
  const known = [...new Set(modules.flatMap((module) => eventTypesOf(module)))];
  const detail = `Must be one of ${known.join(', ')}.`;
  return types.flatMap((type, index) =>
    known.includes(type) ? [] : [{ pointer: `/event_types/${index}`, code: 'not_allowed', detail }],
  );
}

/** Types that any module may emit come from all of them. */
function modulesOf(types: readonly string[]): EventModule[] {
  const common: readonly string[] = EVERY_MODULE_EVENT_TYPES;
  const emits = (module: EventModule, type: string) => (EVENT_TYPES[module] as readonly string[]).includes(type);
  return EVENT_MODULES.filter((module) => types.some((type) => common.includes(type) || emits(module, type)));
}
