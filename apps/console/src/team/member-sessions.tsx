import { browserName } from '@constancia/kernel/browser-name';
import { Button, State, useAnnounce } from '@constancia/web';
import { useCall, useRecords } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useAction } from '../parts/use-action.ts';
import { type MemberRow, useMayChange } from './member-parts.tsx';
import { useTeamText } from './text/language.ts';

/** Where a member is signed in, and the end of it. */
export function MemberSessions({ of: member }: { of: MemberRow }) {
  const { text, words, clock } = useTeamText();
  const announce = useAnnounce();
  const mayChange = useMayChange();
  const call = useCall();
  const { busy, error, run } = useAction();
  const key = ['sessions-of-member', member.id];
  const query = useRecords(key, ({ platform }, cursor) =>
    platform.GET('/v1/members/{id}/sessions', {
      params: { path: { id: member.id }, query: { cursor, limit: 50 } },
    }),
  );
  const end = async (session_id: string): Promise<void> => {
    const params = { path: { id: member.id, session_id } };
    await call(({ platform }) => platform.DELETE('/v1/members/{id}/sessions/{session_id}', { params }), key);
    announce(words.sessions.ended);
  };
  return (
    <section>
      <h2>{words.sessions.title}</h2>
      {error !== null && <Failure error={error} />}
      <RecordTable
        caption={words.sessions.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.sessions.empty}
        columns={[
          {
            title: words.sessions.browser,
            wide: true,
            width: 'minmax(0, 3fr)',
            of: ({ user_agent: agent, current }) => (
              <span>
                {browserName(agent)} {current && <State kind="good">{words.sessions.current}</State>}
              </span>
            ),
          },
          { title: words.sessions.method, of: ({ method }) => text.methods[method] },
          { title: words.sessions.ip, of: ({ ip }) => ip, wide: true },
          { title: words.sessions.since, of: ({ created_at: at }) => clock(at) },
          { title: words.sessions.used, of: ({ last_used_at: at }) => clock(at) },
          ...(mayChange(member)
            ? [
                {
                  title: words.sessions.action,
                  of: ({ id, created_at: at }: { id: string; created_at: string }) => (
                    <Button
                      busy={busy === id}
                      label={words.sessions.endOf(clock(at))}
                      onPress={() => void run(id, () => end(id))}
                    >
                      {words.sessions.end}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}
