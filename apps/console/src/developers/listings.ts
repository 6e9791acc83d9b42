import type { EventModule } from '@constancia/contracts/modules';
import type { components } from '@constancia/sdk/generated/platform';
import type { Listing } from '../member/queries.ts';

type Schemas = components['schemas'];
type Search<Name extends string> = Partial<Record<Name | 'lang', string>>;

/** Deliveries that match what the address holds, newest first. */
export function deliveriesOf({
  lang: _,
  ...filter
}: Search<'status' | 'event_type' | 'endpoint_id'>): Listing<Schemas['DeliveryView']> {
  const status = filter.status as Schemas['DeliveryView']['status'];
  return {
    key: ['deliveries', filter],
    load: ({ platform }, cursor) =>
      platform.GET('/webhook-deliveries', { params: { query: { ...filter, cursor, limit: 100, status } } }),
  };
}

/** Events that match what the address holds, newest first. */
export function eventsOf({ lang: _, ...filter }: Search<'module' | 'event_type'>): Listing<Schemas['EventView']> {
  const module = filter.module as EventModule;
  return {
    key: ['events', filter],
    load: ({ platform }, cursor) =>
      platform.GET('/v1/events', { params: { query: { ...filter, cursor, limit: 100, order: 'desc', module } } }),
  };
}
