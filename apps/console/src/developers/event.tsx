import { Facts, Table } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { DeliveryStatus, useLastResult } from './delivery-parts.tsx';
import { useDeveloperText } from './text/language.ts';

const route = getRouteApi('/developers/events/$id');

/** One event: what is sent, and how it arrived. */
export function Event() {
  const { words, clock, number } = useDeveloperText();
  const { id } = route.useParams();
  const resultOf = useLastResult();
  const query = useRecord(['events', id], ({ platform }) =>
    platform.GET('/v1/events/{event_id}', { params: { path: { event_id: id } } }),
  );
  return (
    <>
      <PageHead title={words.events.one} of={id} />
      <Loaded query={query}>
        {(event) => (
          <>
            <Facts
              pairs={[
                [words.events.type, event.event_type],
                [words.events.module, words.modules[event.module]],
                [words.events.at, clock(event.occurred_at)],
                [words.events.reference, event.external_ref],
                ['event_id', <code>{event.event_id}</code>],
              ]}
            />
            <h2>{words.events.payload}</h2>
            <pre className="payload" tabIndex={0}>
              {JSON.stringify(event.payload, null, 2)}
            </pre>
            <h2>{words.events.deliveries}</h2>
            {event.deliveries.length === 0 ? (
              <p>{words.events.noDeliveries}</p>
            ) : (
              <Table
                caption={words.events.deliveries}
                rows={event.deliveries}
                keyOf={(delivery) => delivery.id}
                columns={[
                  {
                    title: words.deliveries.one,
                    wide: true,
                    of: (delivery) => (
                      <Link to="/developers/deliveries/$id" params={{ id: delivery.id }}>
                        {delivery.id}
                      </Link>
                    ),
                  },
                  { title: words.deliveries.status, of: (delivery) => <DeliveryStatus of={delivery} /> },
                  { title: words.deliveries.attempts, of: ({ attempt_count: count }) => number(count) },
                  { title: words.deliveries.result, of: resultOf, wide: true },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
