import { Button } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useListing } from '../member/queries.ts';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useMay } from '../member/member.tsx';
import { DeliveryFilter } from './delivery-filter.tsx';
import { DeliveryStatus, EventType, useLastResult } from './delivery-parts.tsx';
import { EndpointName, EndpointNames } from './endpoint-names.tsx';
import { deliveriesOf } from './listings.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { useDeveloperText } from './text/language.ts';
import { useReplayWatch } from './use-replay-watch.ts';

const route = getRouteApi('/developers/deliveries');

/** Deliveries of events to endpoints, newest first, with a filter in the address. */
export function Deliveries() {
  const { words, number, clock } = useDeveloperText();
  const may = useMay();
  const search = route.useSearch();
  const { lang: _, ...filter } = search;
  const navigate = route.useNavigate();
  const resultOf = useLastResult();
  const [replaying, setReplaying] = useState(false);
  const { watch } = useReplayWatch();
  const { status, event_type, endpoint_id } = filter;
  const query = useListing(deliveriesOf(search));
  return (
    <EndpointNames>
      <PageHead title={words.deliveries.title} lead={words.deliveries.lead}>
        {may('webhooks:write') && <Button onPress={() => setReplaying(true)}>{words.deliveries.replayMany}</Button>}
      </PageHead>
      <DeliveryFilter values={filter} onValues={(values) => void navigate({ search: values })} />
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
                <EventType of={type} />
              </Link>
            ),
          },
          { title: words.deliveries.status, of: (delivery) => <DeliveryStatus of={delivery} /> },
          { title: words.deliveries.endpoint, of: ({ endpoint_id: id }) => <EndpointName id={id} />, wide: true },
          { title: words.deliveries.attempts, of: ({ attempt_count: count }) => number(count), width: '6rem' },
          { title: words.deliveries.result, of: resultOf, wide: true, width: 'minmax(0, 2fr)' },
          { title: words.deliveries.created, of: ({ created_at: at }) => clock(at) },
          { title: words.deliveries.next, of: ({ next_attempt_at: at }) => (at === null ? '–' : clock(at)) },
        ]}
      />
      {replaying && (
        <ReplayDialog
          filter={{ status, event_type, endpoint_id }}
          onReplay={watch}
          onClose={() => setReplaying(false)}
        />
      )}
    </EndpointNames>
  );
}
