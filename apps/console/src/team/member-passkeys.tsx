import { Button, Table, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useCall, useRecord } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { type MemberRow, useMayChange } from './member-parts.tsx';
import { useTeamText } from './text/language.ts';

interface Passkey {
  id: string;
  name: string;
}

/** The passkeys of a member; one of a lost device is removed. */
export function MemberPasskeys({ of: member }: { of: MemberRow }) {
  const { words, clock } = useTeamText();
  const announce = useAnnounce();
  const mayChange = useMayChange();
  const call = useCall();
  const [asked, setAsked] = useState<Passkey | null>(null);
  const key = ['passkeys-of-member', member.id];
  const query = useRecord(key, ({ platform }) =>
    platform.GET('/v1/members/{id}/passkeys', { params: { path: { id: member.id } } }),
  );
  const removed = async ({ id }: Passkey): Promise<void> => {
    const params = { path: { id: member.id, passkey_id: id } };
    const keys = [key, ['sessions-of-member', member.id]];
    await call(({ platform }) => platform.DELETE('/v1/members/{id}/passkeys/{passkey_id}', { params }), ...keys);
    announce(words.passkeys.removed);
  };
  return (
    <section>
      <h2>{words.passkeys.title}</h2>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <div className="empty">{words.passkeys.empty}</div>
          ) : (
            <Table
              caption={words.passkeys.title}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: words.passkeys.name, of: ({ name }) => name, wide: true },
                { title: words.passkeys.since, of: ({ created_at: at }) => clock(at) },
                {
                  title: words.passkeys.used,
                  of: ({ last_used_at: at }) => (at === null ? words.passkeys.never : clock(at)),
                },
                ...(mayChange(member)
                  ? [
                      {
                        title: words.passkeys.action,
                        of: (passkey: Passkey) => (
                          <Button label={words.passkeys.removeOf(passkey.name)} onPress={() => setAsked(passkey)}>
                            {words.passkeys.remove}
                          </Button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Loaded>
      {asked !== null && (
        <FormDialog
          title={words.passkeys.removeOf(asked.name)}
          lead={words.passkeys.removeLead}
          submit={words.passkeys.remove}
          dangerous
          onClose={() => setAsked(null)}
          onSubmit={() => removed(asked)}
        />
      )}
    </section>
  );
}
