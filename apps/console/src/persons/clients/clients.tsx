import { Button } from '@constancia/web';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { usePersonText } from '../text/language.ts';
import { type AskedOfClient, ClientDialog, CLIENTS } from './client-dialog.tsx';
import type { Client } from './client-fields.tsx';

/** The applications that persons sign in to with their wallet. */
export function Clients() {
  const { words, clock } = usePersonText();
  const { clients } = words;
  const may = useMay();
  const [asked, setAsked] = useState<AskedOfClient | null>(null);
  const query = useRecords(CLIENTS, ({ platform }, cursor) =>
    platform.GET('/v1/oidc/clients', { params: { query: { cursor, limit: 100 } } }),
  );
  return (
    <>
      <PageHead title={clients.title} lead={clients.lead}>
        {may('settings:write') && (
          <Button look="primary" onPress={() => setAsked({ what: 'create' })}>
            {clients.create}
          </Button>
        )}
      </PageHead>
      <RecordTable
        caption={clients.title}
        query={query}
        keyOf={({ client_id }) => client_id}
        empty={clients.empty}
        columns={[
          {
            title: clients.name,
            wide: true,
            of: ({ name, type }) => (
              <span>
                <strong>{name}</strong> <small>{clients.types[type]}</small>
              </span>
            ),
          },
          { title: clients.id, wide: true, of: ({ client_id }) => <code>{client_id}</code> },
          { title: clients.method, of: ({ token_endpoint_auth_method: method }) => clients.methods[method] },
          {
            title: clients.redirects,
            wide: true,
            width: 'minmax(0, 1.5fr)',
            of: ({ redirect_uris }) => redirect_uris.join(' '),
          },
          { title: clients.scopes, wide: true, of: ({ scopes }) => scopes.join(', ') },
          { title: clients.created_at, of: ({ created_at }) => clock(created_at) },
          ...(may('settings:write')
            ? [
                {
                  title: clients.actions,
                  width: '11rem',
                  of: (client: Client) => (
                    <ClientActions key={client.client_id} of={client} onAsk={(what) => setAsked({ what, client })} />
                  ),
                },
              ]
            : []),
        ]}
      />
      {asked !== null && <ClientDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function ClientActions({ of: client, onAsk }: { of: Client; onAsk: (what: 'edit' | 'rotate' | 'remove') => void }) {
  const { words } = usePersonText();
  const { clients } = words;
  return (
    <div className="row-actions">
      <Button look="quiet" label={clients.editOf(client.name)} onPress={() => onAsk('edit')}>
        {clients.edit}
      </Button>
      {client.token_endpoint_auth_method === 'client_secret_basic' && (
        <Button look="quiet" label={clients.rotateOf(client.name)} onPress={() => onAsk('rotate')}>
          {clients.rotate}
        </Button>
      )}
      <Button look="quiet" label={clients.removeOf(client.name)} onPress={() => onAsk('remove')}>
        {clients.remove}
      </Button>
    </div>
  );
}
