import { EVENT_MODULES } from '@constancia/contracts/modules';
import { State } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useListing } from '../member/queries.ts';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { typeOptions } from './delivery-filter.tsx';
import { EventType } from './delivery-parts.tsx';
import { eventsOf } from './listings.ts';
import { useDeveloperText } from './text/language.ts';

const route = getRouteApi('/developers/events');

/** The event log, newest first, with a filter in the address. */
export function Events() {
  const { text, words, clock } = useDeveloperText();
  const search = route.useSearch();
  const { lang: _, ...filter } = search;
  const navigate = route.useNavigate();
  const query = useListing(eventsOf(search));
  return (
    <>
      <PageHead title={words.events.title} lead={words.events.lead} />
      <Filter
        values={filter}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          {
            name: 'module',
            label: words.events.module,
            options: [['', text.all], ...EVENT_MODULES.map((name) => [name, words.modules[name]] as const)],
          },
          { name: 'event_type', label: words.events.type, options: typeOptions(text.all) },
        ]}
      />
      <RecordTable
        caption={words.events.title}
        query={query}
        keyOf={({ event_id: id }) => id}
        empty={words.events.empty}
        columns={[
          {
            title: words.events.type,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ event_id: id, event_type: type, test }) => (
              <span>
                <Link to="/developers/events/$id" params={{ id }}>
                  <EventType of={type} />
                </Link>{' '}
                {test && <State kind="wait">{words.events.isTest}</State>}
              </span>
            ),
          },
          { title: words.events.module, of: ({ module: name }) => words.modules[name] },
          { title: words.events.reference, of: ({ external_ref: reference }) => reference ?? '–', wide: true },
          { title: words.events.at, of: ({ occurred_at: at }) => clock(at) },
        ]}
      />
    </>
  );
}
