import { browserName } from '@constancia/kernel/browser-name';
import { Button, State, useAnnounce } from '@constancia/web';
import { callConsole } from '../api/console-host.ts';
import { useCall, useRecords } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useAction } from '../parts/use-action.ts';
import { useText } from '../text/language.ts';
import { useSignedIn } from '../member/member.tsx';

const KEY = ['member-sessions'];

/** The browsers in which the member is signed in, and their end. */
export function OwnSessions() {
  const { text, clock } = useText();
  const announce = useAnnounce();
  const { leave } = useSignedIn();
  const call = useCall();
  const { busy, error, run } = useAction();
  const query = useRecords(KEY, ({ platform }, cursor) =>
    platform.GET('/v1/member-sessions', { params: { query: { cursor, limit: 50 } } }),
  );

  const end = ({ id, current }: { id: string; current: boolean }): Promise<void> =>
    run(id, async () => {
      if (current) {
        await callConsole('DELETE', ''); // its cookie ends with it
        return leave('signed-out');
      }
      await call(({ platform }) => platform.DELETE('/v1/member-sessions/{id}', { params: { path: { id } } }), KEY);
      announce(text.sessions.ended);
    });

  return (
    <section>
      <h2>{text.sessions.title}</h2>
      <p className="help">{text.sessions.about}</p>
      {error !== null && <Failure error={error} />}
      <RecordTable
        caption={text.sessions.title}
        query={query}
        keyOf={({ id }) => id}
        empty={text.none}
        columns={[
          {
            title: text.sessions.browser,
            wide: true,
            width: 'minmax(0, 3fr)',
            of: ({ user_agent, current }) => (
              <span>
                {browserName(user_agent)} {current && <State kind="good">{text.sessions.current}</State>}
              </span>
            ),
          },
          { title: text.sessions.method, of: ({ method }) => text.methods[method as keyof typeof text.methods] },
          { title: text.sessions.ip, of: ({ ip }) => ip, wide: true },
          { title: text.sessions.since, of: ({ created_at }) => clock(created_at) },
          { title: text.sessions.used, of: ({ last_used_at }) => clock(last_used_at) },
          {
            title: text.sessions.action,
            of: (session) => (
              <Button
                busy={busy === session.id}
                label={text.sessions.endOf(clock(session.created_at))}
                onPress={() => void end(session)}
              >
                {text.sessions.end}
              </Button>
            ),
          },
        ]}
      />
    </section>
  );
}
