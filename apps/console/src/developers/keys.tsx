import { SCOPES } from '@constancia/contracts/scopes';
import { Button, State, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useChange, useRecords } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useMay } from '../member/member.tsx';
import { GraceField } from './grace-field.tsx';
import { type Key, keyChangesOf, KeyFields, newKeyOf } from './key-fields.tsx';
import { useDeveloperText } from './text/language.ts';

/** What is asked about a key, or about a new one. */
type Asked = { what: 'create' } | { what: 'edit' | 'rotate' | 'remove'; key: Key } | { what: 'secret'; secret: string };

const LIST = ['api-keys'];

/** API keys: who may call the API as this tenant. */
export function Keys() {
  const { text, words, number, clock } = useDeveloperText();
  const may = useMay();
  const [asked, setAsked] = useState<Asked | null>(null);
  const query = useRecords(LIST, ({ platform }, cursor) =>
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
          { title: words.keys.expires, of: ({ expires_at: at }) => (at === null ? text.never : clock(at)) },
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
      {asked !== null && <KeyDialog asked={asked} onAsk={setAsked} />}
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

function KeyDialog({ asked, onAsk }: { asked: Asked; onAsk: (asked: Asked | null) => void }) {
  const { text, words } = useDeveloperText();
  const announce = useAnnounce();
  const change = useChange();
  const close = (): void => onAsk(null);
  switch (asked.what) {
    case 'create':
      return (
        <FormDialog
          title={words.keys.createTitle}
          submit={words.keys.create}
          onClose={close}
          onSubmit={async (form, idempotencyKey) => {
            const { api_key: secret } = await change(
              ({ platform }) =>
                platform.POST('/v1/api-keys', {
                  params: { header: { 'Idempotency-Key': idempotencyKey } },
                  body: newKeyOf(form),
                }),
              LIST,
            );
            onAsk({ what: 'secret', secret });
            return 'open';
          }}
        >
          <KeyFields />
        </FormDialog>
      );
    case 'edit':
      return (
        <FormDialog
          title={words.keys.editOf(asked.key.name)}
          submit={text.save}
          onClose={close}
          onSubmit={async (form) => {
            const params = { path: { id: asked.key.id } };
            const body = keyChangesOf(form, asked.key);
            await change(({ platform }) => platform.PATCH('/v1/api-keys/{id}', { params, body }), LIST);
            announce(words.keys.changed);
          }}
        >
          <KeyFields of={asked.key} />
        </FormDialog>
      );
    case 'rotate':
      return (
        <FormDialog
          title={words.keys.rotateOf(asked.key.name)}
          lead={words.keys.rotateLead}
          submit={words.keys.rotate}
          onClose={close}
          onSubmit={async (form, idempotencyKey) => {
            const { api_key: secret } = await change(
              ({ platform }) =>
                platform.POST('/v1/api-keys/{id}/rotate', {
                  params: { path: { id: asked.key.id }, header: { 'Idempotency-Key': idempotencyKey } },
                  body: { grace_seconds: Number(form.get('grace_seconds')) },
                }),
              LIST,
            );
            onAsk({ what: 'secret', secret });
            return 'open';
          }}
        >
          <GraceField label={words.keys.grace} />
        </FormDialog>
      );
    case 'remove':
      return (
        <FormDialog
          title={words.keys.removeOf(asked.key.name)}
          lead={words.keys.removeLead}
          submit={words.keys.remove}
          dangerous
          onClose={close}
          onSubmit={async () => {
            const params = { path: { id: asked.key.id } };
            await change(({ platform }) => platform.DELETE('/v1/api-keys/{id}', { params }), LIST);
            announce(words.keys.removed);
          }}
        />
      );
    case 'secret':
      return <SecretDialog title={words.keys.created} secret={asked.secret} onClose={close} />;
  }
}
