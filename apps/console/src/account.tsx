import { Button, Facts, Frame, Notice, State, Table, Title, useAnnounce } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import { OwnPasskeys } from './own-passkeys.tsx';
import { Api, ApiError, callConsole, type OwnSession, type SessionView } from './session.ts';
import { useText } from './text/language.ts';

interface AccountProps {
  view: SessionView;
  onLeave: (news: 'ended' | 'signed-out') => void;
}

/** Who is signed in, where, and in which browsers. */
export function Account({ view, onLeave }: AccountProps) {
  const { text, sentenceOf, clock, roleOf } = useText();
  const [error, setError] = useState<unknown>(null);
  const [leaving, setLeaving] = useState(false);
  const { member, tenant, session } = view;
  const [api] = useState(() => new Api());

  /** Shows what failed; the end of the session leads to the sign-in. */
  const handleFailure = useCallback(
    (failure: unknown): void => {
      if (failure instanceof ApiError && failure.status === 401) onLeave('ended');
      else setError(failure);
    },
    [onLeave],
  );

  const signOut = (): void => {
    setLeaving(true);
    callConsole('DELETE', '')
      .then(() => onLeave('signed-out'), setError)
      .finally(() => setLeaving(false));
  };

  return (
    <Frame
      head={
        <>
          <strong>{text.page.name}</strong>
          <span>{tenant.name}</span>
        </>
      }
    >
      <div className="account">
        <Title>{text.account.title}</Title>
        {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
        <Facts
          pairs={[
            [text.account.name, member.name],
            [text.account.email, member.email],
            [text.account.role, roleOf(member.role)],
            [text.account.tenant, `${tenant.name} (${tenant.slug})`],
            [text.account.environment, text.environments[tenant.environment] ?? tenant.environment],
            [text.account.until, clock(session.expires_at)],
          ]}
        />
        <div className="actions">
          <Button busy={leaving} onPress={signOut}>
            {text.account.signOut}
          </Button>
        </div>
        <OwnPasskeys api={api} onFailure={handleFailure} onEnded={() => onLeave('ended')} />
        <OwnSessions api={api} onFailure={handleFailure} onEnded={() => onLeave('signed-out')} />
      </div>
    </Frame>
  );
}

interface OwnSessionsProps {
  api: Api;
  onFailure: (failure: unknown) => void;
  /** The session of this page was ended. */
  onEnded: () => void;
}

function OwnSessions({ api, onFailure, onEnded }: OwnSessionsProps) {
  const { text, clock } = useText();
  const announce = useAnnounce();
  const [sessions, setSessions] = useState<OwnSession[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);

  const load = useCallback(
    (cursor: string | null): Promise<void> =>
      api.sessions(cursor).then(({ data, next_cursor }) => {
        setSessions((shown) => (cursor === null ? data : [...(shown ?? []), ...data]));
        setNext(next_cursor);
      }, onFailure),
    [api, onFailure],
  );
  useEffect(() => void load(null), [load]);

  const end = async ({ id, current }: OwnSession): Promise<void> => {
    setBusy(id);
    try {
      if (current) {
        await callConsole('DELETE', ''); // its cookie ends with it
        return onEnded();
      }
      await api.endSession(id);
      announce(text.sessions.ended);
      await load(null);
    } catch (failure) {
      onFailure(failure);
    } finally {
      setBusy(null);
    }
  };

  return (
    <section>
      <h2>{text.sessions.title}</h2>
      <p className="help">{text.sessions.about}</p>
      {sessions === null ? (
        <p>{text.loading}</p>
      ) : (
        <Table
          caption={text.sessions.title}
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            {
              title: text.sessions.browser,
              wide: true,
              of: ({ user_agent, current }) => (
                <span>
                  {user_agent} {current && <State kind="good">{text.sessions.current}</State>}
                </span>
              ),
            },
            { title: text.sessions.method, of: ({ method }) => text.methods[method] },
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
      )}
      {next !== null && (
        <div className="actions">
          <Button onPress={() => void load(next)}>{text.sessions.more}</Button>
        </div>
      )}
    </section>
  );
}
