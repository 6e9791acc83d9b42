import { EVENT_TYPES } from '@constancia/contracts/modules';
import { Button } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useListing } from '../member/queries.ts';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useMay } from '../member/member.tsx';
import { DeliveryStatus, useLastResult } from './delivery-parts.tsx';
import { deliveriesOf } from './listings.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { useDeveloperText } from './text/language.ts';

const route = getRouteApi('/developers/deliveries');

/** Deliveries of events to endpoints, newest first, with a filter in the address. */
export function Deliveries() {
  const { text, words, number, clock } = useDeveloperText();
  const may = useMay();
  const search = route.useSearch();
  const { lang: _, ...filter } = search;
  const navigate = route.useNavigate();
  const resultOf = useLastResult();
  const [replaying, setReplaying] = useState(false);
  const { event_type, endpoint_id } = filter;
  const query = useListing(deliveriesOf(search));
  const types = ['endpoint.test', ...Object.values(EVENT_TYPES).flat()];
  return (
    <>
      <PageHead title={words.deliveries.title} lead={words.deliveries.lead}>
        {may('webhooks:write') && <Button onPress={() => setReplaying(true)}>{words.deliveries.replayMany}</Button>}
      </PageHead>
      <Filter
        values={filter}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          {
            name: 'status',
            label: words.deliveries.status,
            options: [['', text.all], ...Object.entries(words.deliveries.statuses)],
          },
          {
            name: 'event_type',
            label: words.deliveries.event,
            options: [['', text.all], ...types.map((type) => [type, type] as const)],
          },
          { name: 'endpoint_id', label: words.deliveries.endpoint, placeholder: 'whe_…', maxLength: 30 },
        ]}
      />
      <RecordTable
        caption={words.deliveries.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.deliveries.empty}
        columns={[
          {
            title: words.deliveries.event,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ id, event_type: type }) => (
              <Link to="/developers/deliveries/$id" params={{ id }}>
                {type}
              </Link>
            ),
          },
          { title: words.deliveries.status, of: (delivery) => <DeliveryStatus of={delivery} /> },
          { title: words.deliveries.attempts, of: ({ attempt_count: count }) => number(count), width: '6rem' },
          { title: words.deliveries.result, of: resultOf, wide: true, width: 'minmax(0, 2fr)' },
          { title: words.deliveries.created, of: ({ created_at: at }) => clock(at) },
          { title: words.deliveries.next, of: ({ next_attempt_at: at }) => (at === null ? '–' : clock(at)) },
        ]}
      />
      {replaying && <ReplayDialog filter={{ event_type, endpoint_id }} onClose={() => setReplaying(false)} />}
    </>
  );
}
