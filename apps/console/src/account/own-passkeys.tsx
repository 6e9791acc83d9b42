import { Button, Table, useAnnounce } from '@constancia/web';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../api/apis.ts';
import { useCall, useRecord } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useAction } from '../parts/use-action.ts';
import { useText } from '../text/language.ts';
import { useSignedIn } from '../member/member.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyNameForm } from './passkey-name-form.tsx';

const KEY = ['passkeys'];
const MOST_PASSKEYS = 10;

interface OwnPasskey {
  id: string;
  name: string;
}

/** The passkeys of the member, and one more. */
export function OwnPasskeys() {
  const { text, clock } = useText();
  const announce = useAnnounce();
  const { apis, leave } = useSignedIn();
  const call = useCall();
  const queries = useQueryClient();
  const { busy, error, run } = useAction();
  const [renamed, setRenamed] = useState<OwnPasskey | null>(null);
  const query = useRecord(KEY, ({ platform }) => platform.GET('/v1/passkeys'));
  const onEnded = (): void => leave('ended');

  const remove = ({ id }: OwnPasskey): Promise<void> =>
    run(id, async () => {
      await call(({ platform }) => platform.DELETE('/v1/passkeys/{id}', { params: { path: { id } } }), KEY);
      announce(text.passkeys.removed);
      setRenamed(null);
    });
  const rename = (id: string) => (name: string) =>
    answerOf(apis.platform.PATCH('/v1/passkeys/{id}', { params: { path: { id } }, body: { name } }));
  const done = (news: string) => (): void => {
    announce(news);
    setRenamed(null);
    void queries.invalidateQueries({ queryKey: KEY });
  };

  return (
    <section>
      <h2>{text.passkeys.title}</h2>
      <p className="help">{text.passkeys.about}</p>
      {error !== null && <Failure error={error} />}
      <Loaded query={query}>
        {({ data: passkeys }) => (
          <>
            {passkeys.length > 0 && (
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
                  submitLabel={text.save}
                  submit={rename(renamed.id)}
                  onDone={done(text.passkeys.renamed)}
                  onEnded={onEnded}
                >
                  <Button onPress={() => setRenamed(null)}>{text.cancel}</Button>
                </PasskeyNameForm>
              </>
            )}
            {renamed === null && passkeys.length < MOST_PASSKEYS && (
              <AddPasskey onAdded={done(text.passkeys.added)} onEnded={onEnded} />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
