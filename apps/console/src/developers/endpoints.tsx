import { endpointHealth } from '@constancia/operations';
import { Button, State } from '@constancia/web';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useRecords } from '../member/queries.ts';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useMay } from '../member/member.tsx';
import { type AskedOfEndpoint, EndpointDialog } from './endpoint-dialog.tsx';
import type { Endpoint } from './endpoint-fields.tsx';
import { ENDPOINTS, nameOf } from './endpoint-names.tsx';
import { useDeveloperText } from './text/language.ts';

/** Webhook endpoints: where events are sent, and whether they arrive. */
export function Endpoints() {
  const { words } = useDeveloperText();
  const may = useMay();
  const { hash } = useLocation();
  const [asked, setAsked] = useState<AskedOfEndpoint | null>(null);
  const query = useRecords(ENDPOINTS, ({ platform }, cursor) =>
    platform.GET('/v1/webhook-endpoints', { params: { query: { cursor, limit: 100 } } }),
  );
  return (
    <>
      <PageHead title={words.endpoints.title} lead={words.endpoints.lead}>
        {may('webhooks:write') && (
          <Button look="primary" onPress={() => setAsked({ what: 'create' })}>
            {words.endpoints.create}
          </Button>
        )}
      </PageHead>
      <RecordTable
        caption={words.endpoints.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.endpoints.empty}
        columns={[
          {
            title: words.endpoints.name,
            of: (endpoint) => <EndpointHead of={endpoint} isSought={endpoint.id === hash} />,
            wide: true,
            width: 'minmax(0, 2fr)',
          },
          {
            title: words.endpoints.modules,
            wide: true,
            of: ({ modules }) => modules.map((module) => words.modules[module]).join(', '),
          },
          {
            title: words.endpoints.events,
            wide: true,
            of: ({ event_types: types }) => (types.length === 0 ? words.endpoints.everyEvent : types.join(', ')),
          },
          { title: words.endpoints.state, of: (endpoint) => <EndpointState of={endpoint} /> },
          {
            title: words.actions,
            width: '14rem',
            of: (endpoint) => (
              <EndpointActions
                of={endpoint}
                onAsk={(what) => setAsked({ what, endpoint })}
                mayWrite={may('webhooks:write')}
              />
            ),
          },
        ]}
      />
      {asked !== null && <EndpointDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Its name above its address. The one that the address of the page ends with (`#whe_…`) is marked, and gets the focus. */
function EndpointHead({ of: endpoint, isSought }: { of: Endpoint; isSought: boolean }) {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSought) head.current?.focus();
  }, [isSought]);
  return (
    <div ref={head} id={endpoint.id} tabIndex={-1} className="endpoint-head" aria-current={isSought || undefined}>
      <strong>{nameOf(endpoint)}</strong>
      {nameOf(endpoint) !== endpoint.url && <small>{endpoint.url}</small>}
    </div>
  );
}

const KINDS = { well: 'good', failing: 'bad', paused: 'wait', disabled: 'bad' } as const;

/** Whether it works, and since when or why not. */
export function EndpointState({ of: endpoint }: { of: Endpoint }) {
  const { words, clock, number } = useDeveloperText();
  const { disabled_reason: reason, failing_since: since, paused_until: until } = endpoint;
  const health = endpointHealth(endpoint);
  const why = {
    well: null,
    failing: since !== null && words.endpoints.since(clock(since)),
    paused: until !== null && words.endpoints.until(clock(until)),
    disabled: reason === null ? words.endpoints.notEnabled : words.endpoints.reasons[reason],
  }[health];
  return (
    <span>
      <State kind={KINDS[health]}>{words.endpoints.states[health]}</State> {why}{' '}
      {health === 'failing' && <small>{words.endpoints.failures(number(endpoint.consecutive_failures))}</small>}
    </span>
  );
}

interface EndpointActionsProps {
  of: Endpoint;
  onAsk: (what: 'edit' | 'test' | 'rotate' | 'remove') => void;
  mayWrite: boolean;
}

function EndpointActions({ of: endpoint, onAsk, mayWrite }: EndpointActionsProps) {
  const { words } = useDeveloperText();
  const { id, secret_of } = endpoint;
  const name = nameOf(endpoint);
  return (
    <div className="row-actions">
      <Link to="/developers/deliveries" search={{ endpoint_id: id }} className="button quiet">
        {words.endpoints.deliveries}
      </Link>
      {mayWrite && (
        <>
          <Button look="quiet" label={words.endpoints.testOf(name)} onPress={() => onAsk('test')}>
            {words.endpoints.test}
          </Button>
          <Button look="quiet" label={words.endpoints.editOf(name)} onPress={() => onAsk('edit')}>
            {words.endpoints.edit}
          </Button>
          {secret_of === 'endpoint' && (
            <Button look="quiet" label={words.endpoints.rotateOf(name)} onPress={() => onAsk('rotate')}>
              {words.endpoints.rotate}
            </Button>
          )}
          <Button look="quiet" label={words.endpoints.removeOf(name)} onPress={() => onAsk('remove')}>
            {words.endpoints.remove}
          </Button>
        </>
      )}
    </div>
  );
}
