import { EVENT_TYPES } from '@constancia/contracts/modules';
import type { Values } from '@constancia/web';
import { Filter } from '../parts/filter.tsx';
import { useEndpointOptions } from './endpoint-names.tsx';
import { useDeveloperText } from './text/language.ts';

const TYPES = ['endpoint.test', ...Object.values(EVENT_TYPES).flat()].map((type) => [type, type] as const);

/** Event types to choose from. */
export const typeOptions = (all: string) => [['', all] as const, ...TYPES];

interface DeliveryFilterProps {
  values: Values;
  onValues: (values: Values) => void;
}

/** What the list of deliveries is narrowed down by. */
export function DeliveryFilter({ values, onValues }: DeliveryFilterProps) {
  const { text, words } = useDeveloperText();
  const endpoints = useEndpointOptions(text.all, values.endpoint_id);
  return (
    <Filter
      values={values}
      onValues={onValues}
      fields={[
        {
          name: 'status',
          label: words.deliveries.status,
          options: [
            ['', text.all],
            ...Object.entries({ ...words.deliveries.statuses, pending: words.deliveries.pendingOrRetrying }),
          ],
        },
        { name: 'event_type', label: words.deliveries.event, options: typeOptions(text.all) },
        { name: 'endpoint_id', label: words.deliveries.endpoint, options: endpoints },
      ]}
    />
  );
}
