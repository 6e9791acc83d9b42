import { type Attempt, attemptErrorText, type DeliveryDetail, operations } from '@constancia/operations';
import { Facts, Table } from '@constancia/web';
import { DeliveryStatus, ExplainedDelivery } from '../parts/explained.tsx';
import { deliveryFields, withInstant } from '../parts/filter-fields.ts';
import { FilteredList } from '../parts/filtered-list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useText } from '../text/language.ts';

export const DeliveriesView = ({ id }: { id: string }) => (id === '' ? <Deliveries /> : <Delivery id={id} />);

function Deliveries() {
  const { text, ago } = useText();
  const { tenant, module, eventType, since } = deliveryFields(text);
  const statuses = Object.entries(text.statuses);
  return (
    <FilteredList
      title={text.sections.deliveries}
      request={operations.deliveries}
      queryOf={withInstant}
      keyOf={({ id }) => id}
      fields={[
        tenant,
        module,
        { name: 'status', label: text.status, options: [['', text.all], ...statuses] },
        eventType,
        since,
      ]}
      columns={[
        { title: text.delivery, of: ({ id }) => <a href={`#deliveries/${id}`}>{id}</a>, wide: true },
        { title: text.tenantShort, of: ({ slug }) => slug, wide: true },
        { title: text.event, of: ({ event_type: type }) => type, wide: true },
        { title: text.status, of: ({ status }) => <DeliveryStatus status={status} /> },
        { title: text.attempts, of: ({ attempts }) => attempts },
        { title: text.http, of: ({ last_http_status: status }) => status },
        { title: text.error, of: ({ last_error: error }) => error, wide: true },
        { title: text.created, of: ({ created_at: at }) => ago(at) },
        { title: text.next, of: ({ next_attempt_at: at }) => ago(at) },
      ]}
    />
  );
}

/** One delivery with its attempts, why it is where it is, and the way to send it again. */
const Delivery = ({ id }: { id: string }) => (
  <Loaded request={operations.delivery(id)}>
    {(delivery) => (
      <>
        <DeliveryFacts delivery={delivery} />
        <ExplainedDelivery delivery={delivery} />
        <Attempts attempts={delivery.attempts_list} />
      </>
    )}
  </Loaded>
);

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { text, clock } = useText();
  const { endpoint, event_id: eventId } = delivery;
  return (
    <Facts
      pairs={[
        [text.delivery, <code>{delivery.id}</code>],
        [text.tenantShort, `${delivery.slug} (${delivery.tenant_id})`],
        [
          text.event,
          <>
            {delivery.event_type} <a href={`#trace/${eventId}`}>{eventId}</a>
          </>,
        ],
        [text.status, <DeliveryStatus status={delivery.status} />],
        [text.created, clock(delivery.created_at)],
        [text.next, clock(delivery.next_attempt_at)],
        [text.endpoint, endpoint && `${endpoint.id} ${endpoint.url}`],
        [text.traceId, delivery.trace_id && <code>{delivery.trace_id}</code>],
      ]}
    />
  );
}

function Attempts({ attempts }: { attempts: Attempt[] }) {
  const { text, locale, clock } = useText();
  const result = ({ error_code: error, http_status: status }: Attempt): string =>
    error === null ? text.accepted : attemptErrorText(error, status, locale);
  return (
    <>
      <h2>{text.attempts}</h2>
      {attempts.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <Table
          caption={text.attempts}
          rows={attempts}
          keyOf={({ number }) => String(number)}
          columns={[
            { title: text.number, of: ({ number }) => number },
            { title: text.at, of: ({ at }) => clock(at) },
            { title: text.took, of: ({ duration_ms: ms }) => `${ms} ms` },
            { title: text.http, of: ({ http_status: status }) => status },
            { title: text.result, of: result, wide: true },
            {
              title: text.answer,
              of: ({ response_excerpt: excerpt }) => excerpt && <code>{excerpt.slice(0, 300)}</code>,
              wide: true,
            },
          ]}
        />
      )}
    </>
  );
}
