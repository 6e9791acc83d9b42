import { endpointHealth } from '@constancia/operations';
import { Button, State } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRecords } from '../member/queries.ts';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useMay } from '../member/member.tsx';
import { type AskedOfEndpoint, EndpointDialog } from './endpoint-dialog.tsx';
import type { Endpoint } from './endpoint-fields.tsx';
import { ENDPOINTS } from './endpoint-names.tsx';
import { useDeveloperText } from './text/language.ts';

/** Webhook endpoints: where events are sent, and whether they arrive. */
export function Endpoints() {
  const { words } = useDeveloperText();
  const may = useMay();
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
          { title: words.endpoints.url, of: ({ url }) => <strong>{url}</strong>, wide: true, width: 'minmax(0, 2fr)' },
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

function EndpointActions({ of: { id, url, secret_of }, onAsk, mayWrite }: EndpointActionsProps) {
  const { words } = useDeveloperText();
  return (
    <div className="row-actions">
      <Link to="/developers/deliveries" search={{ endpoint_id: id }} className="button quiet">
        {words.endpoints.deliveries}
      </Link>
      {mayWrite && (
        <>
          <Button look="quiet" label={words.endpoints.testOf(url)} onPress={() => onAsk('test')}>
            {words.endpoints.test}
          </Button>
          <Button look="quiet" label={words.endpoints.editOf(url)} onPress={() => onAsk('edit')}>
            {words.endpoints.edit}
          </Button>
          {secret_of === 'endpoint' && (
            <Button look="quiet" label={words.endpoints.rotateOf(url)} onPress={() => onAsk('rotate')}>
              {words.endpoints.rotate}
            </Button>
          )}
          <Button look="quiet" label={words.endpoints.removeOf(url)} onPress={() => onAsk('remove')}>
            {words.endpoints.remove}
          </Button>
        </>
      )}
    </div>
  );
}
