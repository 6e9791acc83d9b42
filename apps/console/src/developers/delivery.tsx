import { attemptErrorText } from '@constancia/operations';
import type { components } from '@constancia/sdk/generated/platform';
import { Button, Facts, Notice, Table, useAnnounce } from '@constancia/web';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCall, useRecord } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useAction } from '../parts/use-action.ts';
import { useMay } from '../member/member.tsx';
import { DeliveryStatus } from './delivery-parts.tsx';
import { EndpointName, EndpointNames, ENDPOINTS, useEndpointState } from './endpoint-names.tsx';
import { useDeveloperText } from './text/language.ts';

type Attempt = components['schemas']['DeliveryAttemptView'];

const route = getRouteApi('/developers/deliveries/$id');
/** While it is under way it is asked for again, at most so often: a page that nobody uses lets its session end. */
const WATCH = { everyMs: 2_000, times: 60 };

/** One delivery with its attempts, and the way to send it again. */
export function Delivery() {
  const { words, clock, number } = useDeveloperText();
  const { id } = route.useParams();
  const announce = useAnnounce();
  const may = useMay();
  const call = useCall();
  const queries = useQueryClient();
  const { busy, error, run } = useAction();
  const query = useRecord(
    ['deliveries', id],
    ({ platform }) => platform.GET('/webhook-deliveries/{id}', { params: { path: { id } } }),
    {
      ...WATCH,
      while: ({ status, waiting_for }) => waiting_for === null && (status === 'pending' || status === 'delivering'),
    },
  );

  const replay = (): Promise<void> =>
    run('replay', async () => {
      const params = { path: { id } };
      const sent = call(({ platform }) => platform.POST('/webhook-deliveries/{id}/replay', { params }), ['deliveries']);
      await sent.catch(async (failure: unknown) => {
        // It is refused for what changed meanwhile: the page shows that.
        for (const queryKey of [['deliveries'], ENDPOINTS]) await queries.invalidateQueries({ queryKey });
        throw failure;
      });
      announce(words.deliveries.replayed);
    });

  const { status, waiting_for, next_attempt_at: next } = query.data ?? {};
  const endpoint = useEndpointState(query.data?.endpoint_id);
  const isEnded = status === 'failed' || status === 'delivered';
  const waitsForAttempt = status === 'pending' && waiting_for === null && next != null && Date.parse(next) > Date.now();

  const mayReplay = may('webhooks:write') && (isEnded || waitsForAttempt);

  return (
    <EndpointNames>
      <PageHead title={words.deliveries.one} of={id}>
        {mayReplay && (endpoint === 'enabled' || endpoint === 'unknown') && (
          <Button look="primary" busy={busy !== null} onPress={() => void replay()}>
            {isEnded ? words.deliveries.replay : words.deliveries.sendNow}
          </Button>
        )}
      </PageHead>
      {mayReplay && <NoReplay endpoint={endpoint} id={query.data?.endpoint_id} />}
      {error !== null && <Failure error={error} problems={words.deliveries.replayProblems} technical />}
      <Loaded query={query}>
        {(delivery) => (
          <>
            <Facts
              pairs={[
                [words.deliveries.status, <DeliveryStatus of={delivery} />],
                [
                  words.deliveries.event,
                  <Link to="/developers/events/$id" params={{ id: delivery.event_id }}>
                    {delivery.event_type}
                  </Link>,
                ],
                [
                  words.deliveries.endpoint,
                  <>
                    <Link to="/developers/endpoints" hash={delivery.endpoint_id}>
                      <EndpointName id={delivery.endpoint_id} />
                    </Link>{' '}
                    <Link to="/developers/deliveries" search={{ endpoint_id: delivery.endpoint_id }}>
                      {words.deliveries.ofEndpoint}
                    </Link>
                  </>,
                ],
                [words.deliveries.created, clock(delivery.created_at)],
                [words.deliveries.attempts, number(delivery.attempt_count)],
                [words.deliveries.next, delivery.next_attempt_at && clock(delivery.next_attempt_at)],
                ['ID', <code>{delivery.id}</code>],
              ]}
            />
            <h2>{words.deliveries.attempts}</h2>
            <Attempts attempts={delivery.attempts} />
          </>
        )}
      </Loaded>
    </EndpointNames>
  );
}

/** Why it cannot be sent again, and where that is changed. */
function NoReplay({ endpoint, id }: { endpoint: ReturnType<typeof useEndpointState>; id: string | undefined }) {
  const { words } = useDeveloperText();
  if (endpoint !== 'disabled' && endpoint !== 'deleted') return null;
  return (
    <Notice tone="news">
      <p>
        {words.deliveries.noReplay[endpoint]}{' '}
        {endpoint === 'disabled' && (
          <Link to="/developers/endpoints" hash={id}>
            {words.deliveries.toEndpoint}
          </Link>
        )}
      </p>
    </Notice>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const { words, locale, clock, number } = useDeveloperText();
  if (attempts.length === 0) return <p>{words.deliveries.noAttempts}</p>;
  const resultOf = ({ error, http_status: status }: Attempt): string =>
    error === null ? words.deliveries.accepted : attemptErrorText(error.code, status, locale);
  return (
    <Table
      caption={words.deliveries.attempts}
      rows={attempts}
      keyOf={({ id }) => id}
      columns={[
        { title: words.deliveries.number, of: ({ number: index }) => number(index) },
        { title: words.deliveries.at, of: ({ at }) => clock(at) },
        { title: words.deliveries.took, of: ({ duration_ms: ms }) => `${number(ms)} ms` },
        { title: words.deliveries.http, of: ({ http_status: status }) => status ?? '–' },
        { title: words.deliveries.result, of: resultOf, wide: true },
        {
          title: words.deliveries.response,
          of: ({ response_excerpt: excerpt }) => (excerpt ? <code>{excerpt}</code> : '–'),
          wide: true,
        },
      ]}
    />
  );
}
