import { Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { useOnUse } from '../member/use-on-use.ts';
import { useText } from '../text/language.ts';

const EVERY_MS = 60_000;
const MOST_SHOWN = 99;

/** Leads to the notifications, and says how many are unread. */
export function Bell() {
  const { text } = useText();
  const query = useRecord(['notifications', 'unread'], ({ platform }) =>
    platform.GET('/v1/notifications', { params: { query: { unread: true, limit: 1 } } }),
  );
  useOnUse(() => void query.refetch(), EVERY_MS);
  const unread = query.data?.unread_count ?? 0;
  return (
    <Link to="/notifications" className="bell" aria-label={text.bell(unread)}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 20.5h4" />
      </svg>
      {unread > 0 && (
        <span className="count" aria-hidden="true">
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </Link>
  );
}
