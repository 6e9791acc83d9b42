import { Button, Table, useAnnounce } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyNameForm } from './passkey-name-form.tsx';
import type { Api, OwnPasskey } from './session.ts';
import { useText } from './text/language.ts';

interface OwnPasskeysProps {
  api: Api;
  onFailure: (failure: unknown) => void;
  onEnded: () => void;
}

/** The passkeys of the member, and one more. */
export function OwnPasskeys({ api, onFailure, onEnded }: OwnPasskeysProps) {
  const { text, clock } = useText();
  const announce = useAnnounce();
  const [passkeys, setPasskeys] = useState<OwnPasskey[] | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<OwnPasskey | null>(null);

  const load = useCallback(() => api.passkeys().then(({ data }) => setPasskeys(data), onFailure), [api, onFailure]);
  useEffect(() => void load(), [load]);

  const remove = async ({ id }: OwnPasskey): Promise<void> => {
    setBusy(id);
    try {
      await api.removePasskey(id);
      announce(text.passkeys.removed);
      setRenamed(null);
      await load();
    } catch (failure) {
      onFailure(failure);
    } finally {
      setBusy(null);
    }
  };
  const done = (news: string) => (): void => {
    announce(news);
    setRenamed(null);
    void load();
  };

  return (
    <section>
      <h2>{text.passkeys.title}</h2>
      <p className="help">{text.passkeys.about}</p>
      {passkeys !== null && passkeys.length > 0 && (
        <Table
          caption={text.passkeys.title}
          rows={passkeys}
          keyOf={({ id }) => id}
          columns={[
            { title: text.passkeys.name, of: ({ name }) => name, wide: true },
            { title: text.passkeys.since, of: ({ created_at }) => clock(created_at) },
            {
              title: text.passkeys.used,
              of: ({ last_used_at }) => (last_used_at === null ? text.passkeys.never : clock(last_used_at)),
            },
            {
              title: text.sessions.action,
              of: (passkey) => (
                <div className="row-actions">
                  <Button label={text.passkeys.renameOf(passkey.name)} onPress={() => setRenamed(passkey)}>
                    {text.passkeys.rename}
                  </Button>
                  <Button
                    busy={busy === passkey.id}
                    label={text.passkeys.removeOf(passkey.name)}
                    onPress={() => void remove(passkey)}
                  >
                    {text.passkeys.remove}
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      {renamed !== null && (
        <>
          <h3>{text.passkeys.renameOf(renamed.name)}</h3>
          <PasskeyNameForm
            key={renamed.id}
            id="new-passkey-name"
            name={renamed.name}
            submitLabel={text.passkeys.save}
            submit={(name) => api.renamePasskey(renamed.id, name)}
            onDone={done(text.passkeys.renamed)}
            onEnded={onEnded}
          >
            <Button onPress={() => setRenamed(null)}>{text.passkeys.cancel}</Button>
          </PasskeyNameForm>
        </>
      )}
      {renamed === null && (passkeys?.length ?? 0) < 10 && (
        <AddPasskey onAdded={done(text.passkeys.added)} onEnded={onEnded} />
      )}
    </section>
  );
}
