import { Button, Table, useAnnounce } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import { AddPasskey } from './add-passkey.tsx';
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

  const load = useCallback(() => api.passkeys().then(({ data }) => setPasskeys(data), onFailure), [api, onFailure]);
  useEffect(() => void load(), [load]);

  const remove = async ({ id }: OwnPasskey): Promise<void> => {
    setBusy(id);
    try {
      await api.removePasskey(id);
      announce(text.passkeys.removed);
      await load();
    } catch (failure) {
      onFailure(failure);
    } finally {
      setBusy(null);
    }
  };
  const added = (): void => {
    announce(text.passkeys.added);
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
                <Button
                  busy={busy === passkey.id}
                  label={text.passkeys.removeOf(passkey.name)}
                  onPress={() => void remove(passkey)}
                >
                  {text.passkeys.remove}
                </Button>
              ),
            },
          ]}
        />
      )}
      {(passkeys?.length ?? 0) < 10 && <AddPasskey onAdded={added} onEnded={onEnded} />}
    </section>
  );
}
