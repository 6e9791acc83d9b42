import type { FieldProps, Values } from '@constancia/web';
import { EVENT_MODULES } from '@constancia/contracts/modules';
import { instantBefore, type Query } from '@constancia/operations';
import type { Messages } from '../text/messages.ts';

/** Fields that choose deliveries, for the list as for a replay. */
export const deliveryFields = (text: Messages) =>
  ({
    tenant: { name: 'tenant', label: text.tenant },
    module: {
      name: 'module',
      label: text.module,
      options: [['', text.all], ...EVENT_MODULES.map((module) => [module, module] as const)],
    },
    eventType: { name: 'event_type', label: text.eventType },
    since: { name: 'since', label: text.since, options: text.times },
  }) satisfies Record<string, FieldProps>;

/** A filter with its length of time ("2h") as the instant that long ago. */
export const withInstant = ({ since, ...filter }: Values): Query => ({
  ...filter,
  since: since === undefined ? undefined : instantBefore(since),
});
