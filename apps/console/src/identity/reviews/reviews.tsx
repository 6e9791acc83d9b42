import { Link } from '@tanstack/react-router';
import { useRecords } from '../../member/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { SessionStatus } from '../shared/session-parts.tsx';
import { SESSIONS } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';

/** The sessions that a person has to decide. */
export function Reviews() {
  const { words, clock } = useIdentityText();
  const query = useRecords([...SESSIONS, 'reviews'], ({ platform }, cursor) =>
    platform.GET('/v1/flows/sessions', { params: { query: { cursor, limit: 100, status: 'manual_review' } } }),
  );
  return (
    <>
      <PageHead title={words.review.title} lead={words.review.lead} />
      <RecordTable
        caption={words.review.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.review.empty}
        columns={[
          {
            title: words.session.id,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ id }) => (
              <Link to="/identity/reviews/$id" params={{ id }}>
                <code>{id}</code>
              </Link>
            ),
          },
          { title: words.session.reference, wide: true, of: ({ external_ref }) => external_ref ?? '–' },
          { title: words.session.status, of: (row) => <SessionStatus of={row} /> },
          { title: words.session.opened, of: ({ created_at }) => clock(created_at) },
        ]}
      />
    </>
  );
}
