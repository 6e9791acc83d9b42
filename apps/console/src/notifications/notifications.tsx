import { Button, State, useAnnounce } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useCall, useRecords } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useAction } from '../parts/use-action.ts';
import { isUnread, type Notification, pageOf } from './kinds.ts';
import { useNotificationText } from './text/language.ts';

const KEY = ['notifications'];

/** What it is about: a case or a session has no name here, as its subject is a person. */
function NotificationSubject({ of: { title, case_id, session_id } }: { of: Notification }) {
  if (title !== null) return <span className="help"> {title}</span>;
  const id = case_id ?? session_id;
  return id === null ? null : <code className="help"> {id}</code>;
}

function NotificationState({ of: notification }: { of: Notification }) {
  const { words } = useNotificationText();
  if (isUnread(notification)) return <State kind="wait">{words.unread}</State>;
  return notification.settled_at === null ? words.read : <State kind="good">{words.settled}</State>;
}

/** What the member was notified of; each leads to the page where it is resolved. */
export function Notifications() {
  const { words, clock } = useNotificationText();
  const announce = useAnnounce();
  const call = useCall();
  const { busy, error, run } = useAction();
  const query = useRecords([...KEY, 'list'], ({ platform }, cursor) =>
    platform.GET('/v1/notifications', { params: { query: { cursor, limit: 50 } } }),
  );
  const newest = query.data?.[0]?.id;
  const hasUnread = query.data?.some(isUnread) ?? false;

  const read = (body: { ids?: string[]; up_to?: string }) =>
    call(({ platform }) => platform.POST('/v1/notifications/read', { body }), KEY);
  const readAll = (): Promise<void> =>
    run('read', async () => {
      await read({ up_to: newest });
      announce(words.allRead);
    });
  /** It stays unread if that fails: the page that it leads to matters more. */
  const open = ({ id, read_at }: Notification): void => {
    if (read_at === null) void read({ ids: [id] }).catch(() => undefined);
  };

  return (
    <>
      <PageHead
        title={words.title}
        lead={
          <>
            {words.lead} <Link to="/account">{words.choose}</Link>
          </>
        }
      >
        {hasUnread && (
          <Button busy={busy !== null} onPress={() => void readAll()}>
            {words.readAll}
          </Button>
        )}
      </PageHead>
      {error !== null && <Failure error={error} />}
      <RecordTable
        caption={words.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.none}
        columns={[
          {
            title: words.what,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: (notification) => (
              <div>
                <Link {...pageOf(notification)} onClick={() => open(notification)}>
                  {words.kinds[notification.kind]}
                </Link>
                <NotificationSubject of={notification} />
              </div>
            ),
          },
          {
            title: words.state,
            of: (notification) => <NotificationState of={notification} />,
          },
          { title: words.when, of: ({ created_at }) => clock(created_at) },
        ]}
      />
    </>
  );
}
