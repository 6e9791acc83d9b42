import { endpointHealth } from '@constancia/operations';
import { Link } from '@tanstack/react-router';
import { nameOf } from '../developers/endpoint-names.tsx';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { useHomeText } from './text/language.ts';

const SHOWN = 5;

/** Endpoints that receive nothing or fail now, and the last deliveries that failed. */
export function WebhooksCard() {
  const { words, clock, number } = useHomeText();
  const endpoints = useRecord(['webhook-endpoints', 'home'], ({ platform }) =>
    platform.GET('/v1/webhook-endpoints', { params: { query: { limit: 100 } } }),
  );
  const failed = useRecord(['deliveries', 'home'], ({ platform }) =>
    platform.GET('/webhook-deliveries', { params: { query: { status: 'failed', limit: SHOWN } } }),
  );
  return (
    <section className="card">
      <h2>{words.webhooks.title}</h2>
      <Loaded query={endpoints}>
        {({ data }) => {
          const broken = data.filter((endpoint) => endpointHealth(endpoint) !== 'well');
          if (broken.length === 0) return <p>{data.length === 0 ? words.webhooks.none : words.webhooks.well}</p>;
          return (
            <>
              <h3>{words.webhooks.broken}</h3>
              <ul className="links">
                {broken.map((endpoint) => (
                  <li key={endpoint.id}>
                    <Link to="/developers/endpoints" hash={endpoint.id}>
                      {nameOf(endpoint)}
                    </Link>{' '}
                    {endpoint.consecutive_failures > 0 && (
                      <small>{words.webhooks.failures(number(endpoint.consecutive_failures))}</small>
                    )}
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
      <Loaded query={failed}>
        {({ data }) =>
          data.length > 0 && (
            <>
              <h3>{words.webhooks.failed}</h3>
              <ul className="links">
                {data.map(({ id, event_type: type, created_at: at }) => (
                  <li key={id}>
                    <Link to="/developers/deliveries/$id" params={{ id }}>
                      {type}
                    </Link>{' '}
                    <small>{clock(at)}</small>
                  </li>
                ))}
              </ul>
              <Link to="/developers/deliveries" search={{ status: 'failed' }}>
                {words.webhooks.all}
              </Link>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
