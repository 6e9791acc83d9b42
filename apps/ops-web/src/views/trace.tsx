import {
  type DeliveryDetail,
  type EndpointRow,
  type EventTrace,
  explainNoDelivery,
  operations,
  processBesidePlatform,
  processOfStory,
  type Story,
  type TimelineEntry,
} from '@constancia/operations';
import { Facts, Field, Form, Table } from '@constancia/web';
import { DeliveryStatus, Explained, ExplainedDelivery } from '../parts/explained.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useText } from '../text/language.ts';

/** The story of anything that has an id, as far as the platform knows it. */
export function TraceView({ id }: { id: string }) {
  const { text } = useText();
  return (
    <>
      <Form search submit={text.find} onValues={({ id: wanted = '' }) => (location.hash = `trace/${wanted}`)}>
        <Field name="id" label={text.id} hint={text.idHint} defaultValue={id} required />
      </Form>
      {id !== '' && <StoryOfAny id={id} />}
    </>
  );
}

function StoryOfAny({ id }: { id: string }) {
  const { text } = useText();
  const process = processOfStory(id);
  if (process === 'platform') {
    return <Loaded request={operations.story('platform', id)}>{(story) => <StoryOfThing story={story} />}</Loaded>;
  }
  if (process !== undefined) return <TraceCommand sentence={text.noStoryHere(process)} id={id} />;
  if (!id.startsWith('dlv_')) return <StoryOfEvent id={id} />;
  return <Loaded request={operations.delivery(id)}>{({ event_id: eventId }) => <StoryOfEvent id={eventId} />}</Loaded>;
}

/** The command asks every module; this page only the process that it came from. */
const TraceCommand = ({ sentence, id }: { sentence: string; id: string }) => (
  <p>
    {sentence} <code>{`npm run ops -- trace ${id}`}</code>
  </p>
);

/** A flow session, or a subject with its newest sessions; and their events. */
function StoryOfThing({ story }: { story: Story }) {
  const { text } = useText();
  const links = (ids: readonly { id: string; name: string }[]) =>
    ids.map(({ id, name }) => (
      <span key={id}>
        <a href={`#trace/${id}`}>{name}</a>{' '}
      </span>
    ));
  return (
    <Loaded request={operations.events({ tenant: story.tenant_id, about: story.id })}>
      {({ data: events }) => (
        <>
          <Facts
            pairs={[
              [story.kind, <code>{story.id}</code>],
              [text.tenantShort, <code>{story.tenant_id}</code>],
              [text.status, story.status],
              ...(story.sessions
                ? [[text.sessionsOf, links(story.sessions.map(({ id }) => ({ id, name: id })))] as const]
                : []),
              [
                text.event,
                events.length > 0 &&
                  links(events.map(({ event_id, event_type }) => ({ id: event_id, name: event_type }))),
              ],
            ]}
          />
          <Timeline timeline={story.timeline} />
        </>
      )}
    </Loaded>
  );
}

const StoryOfEvent = ({ id }: { id: string }) => (
  <Loaded request={operations.trace(id)}>{(trace) => <Trace trace={trace} />}</Loaded>
);

function Trace({ trace: { event, ledger, deliveries, timeline } }: { trace: EventTrace }) {
  const { text, clock } = useText();
  const beside = processBesidePlatform(event.about);
  return (
    <>
      <Facts
        pairs={[
          [
            text.event,
            <>
              {event.event_type} <code>{event.event_id}</code>
            </>,
          ],
          [text.tenantShort, `${event.slug} (${event.tenant_id})`],
          [text.about, event.about && `${event.about.type} ${event.about.id}`],
          [text.occurred, clock(event.occurred_at)],
          [text.traceId, event.trace_id && <code>{event.trace_id}</code>],
        ]}
      />
      {deliveries.map(({ id }) => (
        <Loaded key={id} request={operations.delivery(id)}>
          {(delivery) => <TracedDelivery delivery={delivery} />}
        </Loaded>
      ))}
      {deliveries.length === 0 && (
        <Loaded request={operations.endpoints({ tenant: event.tenant_id })}>
          {({ data }) => <NoDelivery event={event} endpoints={data} />}
        </Loaded>
      )}
      <Timeline timeline={timeline} />
      {beside !== undefined && <TraceCommand sentence={text.restOfStory(beside)} id={event.event_id} />}
      {ledger.length > 0 && <LedgerEntries entries={ledger} />}
    </>
  );
}

const TracedDelivery = ({ delivery }: { delivery: DeliveryDetail }) => (
  <>
    <p>
      <a href={`#deliveries/${delivery.id}`}>{delivery.id}</a> <DeliveryStatus status={delivery.status} />
    </p>
    <ExplainedDelivery delivery={delivery} />
  </>
);

function NoDelivery({ event, endpoints }: { event: EventTrace['event']; endpoints: EndpointRow[] }) {
  const { locale } = useText();
  const endpoint = endpoints.find(({ module }) => module === event.module);
  return <Explained explanation={explainNoDelivery(event, endpoint, locale)} />;
}

function Timeline({ timeline }: { timeline: TimelineEntry[] }) {
  const { text, clock } = useText();
  return (
    <>
      <h2>{text.timeline}</h2>
      <Table
        caption={text.timeline}
        rows={timeline}
        columns={[
          { title: text.at, of: ({ at }) => clock(at) },
          { title: text.where, of: ({ where }) => where },
          { title: text.what, of: ({ what }) => what, wide: true },
          { title: text.detail, of: ({ detail }) => detail, wide: true },
        ]}
      />
    </>
  );
}

function LedgerEntries({ entries }: { entries: EventTrace['ledger'] }) {
  const { text, number, clock } = useText();
  return (
    <>
      <h2>{text.sections.ledger}</h2>
      <Table
        caption={text.sections.ledger}
        rows={entries}
        columns={[
          { title: text.at, of: ({ at }) => clock(at) },
          { title: text.kind, of: ({ kind }) => kind },
          { title: text.amount, of: ({ amount }) => number(amount) },
        ]}
      />
    </>
  );
}
