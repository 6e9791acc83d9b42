import { SCOPES } from '@constancia/contracts/scopes';
import { Button, State } from '@constancia/web';
import { useState } from 'react';
import { useRecords } from '../member/queries.ts';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useMay } from '../member/member.tsx';
import { API_KEYS, type AskedOfKey, KeyDialog } from './key-dialog.tsx';
import type { Key } from './key-fields.tsx';
import { useDeveloperText } from './text/language.ts';

/** API keys: who may call the API as this tenant. */
export function Keys() {
  const { text, words, number, clock, untilOf } = useDeveloperText();
  const may = useMay();
  const [asked, setAsked] = useState<AskedOfKey | null>(null);
  const query = useRecords(API_KEYS, ({ platform }, cursor) =>
    platform.GET('/v1/api-keys', { params: { query: { cursor, limit: 100 } } }),
  );
  const scopesOf = ({ scopes }: Key): string =>
    scopes === null || scopes.length === SCOPES.length ? words.keys.every : scopes.join(', ');

  return (
    <>
      <PageHead title={words.keys.title} lead={words.keys.lead}>
        {may('keys:write') && (
          <Button look="primary" onPress={() => setAsked({ what: 'create' })}>
            {words.keys.create}
          </Button>
        )}
      </PageHead>
      <RecordTable
        caption={words.keys.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.keys.empty}
        columns={[
          {
            title: words.keys.name,
            wide: true,
            of: ({ name, is_default, status }) => (
              <span>
                <strong>{name}</strong> {is_default && <small>{words.keys.isDefault}</small>}{' '}
                {status === 'expired' && <State kind="bad">{words.keys.expired}</State>}
              </span>
            ),
          },
          { title: words.keys.begin, of: ({ prefix }) => <code>{prefix}…</code>, width: '8rem' },
          { title: words.keys.scopes, of: scopesOf, wide: true, width: 'minmax(0, 2fr)' },
          {
            title: words.keys.networks,
            wide: true,
            of: ({ allowed_cidrs: networks, network_rejections: { count } }) => (
              <span>
                {networks?.join(', ') ?? words.keys.everywhere}{' '}
                {count > 0 && <State kind="wait">{words.keys.rejected(number(count))}</State>}
              </span>
            ),
          },
          { title: words.keys.used, of: ({ last_used_at: at }) => (at === null ? text.never : clock(at)) },
          { title: words.keys.expires, of: ({ expires_at: at }) => (at === null ? text.never : untilOf(at)) },
          ...(may('keys:write')
            ? [
                {
                  title: words.actions,
                  width: '11rem',
                  of: (key: Key) => <KeyActions key={key.id} of={key} onAsk={(what) => setAsked({ what, key })} />,
                },
              ]
            : []),
        ]}
      />
      {asked !== null && <KeyDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function KeyActions({ of: key, onAsk }: { of: Key; onAsk: (what: 'edit' | 'rotate' | 'remove') => void }) {
  const { words } = useDeveloperText();
  return (
    <div className="row-actions">
      {!key.is_default && (
        <Button look="quiet" label={words.keys.editOf(key.name)} onPress={() => onAsk('edit')}>
          {words.keys.edit}
        </Button>
      )}
      <Button look="quiet" label={words.keys.rotateOf(key.name)} onPress={() => onAsk('rotate')}>
        {words.keys.rotate}
      </Button>
      {!key.is_default && (
        <Button look="quiet" label={words.keys.removeOf(key.name)} onPress={() => onAsk('remove')}>
          {words.keys.remove}
        </Button>
      )}
    </div>
  );
}
