import { Facts, Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../member/member.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Findings } from '../shared/findings.tsx';
import { flagsOf } from '../shared/findings-of.ts';
import { Decisions, SessionEvents, SessionStatus, useReasonText } from '../shared/session-parts.tsx';
import { type Session, type Trail, useDecidedSession } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';
import { Decide } from './decide.tsx';
import { Picture } from './picture.tsx';
import './reviews.css';

const route = getRouteApi('/identity/reviews/$id');

/** A doubtful session on one page: the pictures side by side, what was found, and the decision. */
export function Review() {
  const { words } = useIdentityText();
  const { id } = route.useParams();
  const { session: query, trail } = useDecidedSession(id);
  return (
    <>
      <PageHead title={words.review.one} of={id}>
        {query.data !== undefined && <Decide session={query.data} reviews={trail.data?.reviews ?? []} />}
      </PageHead>
      <Loaded query={query}>
        {(session) => (
          <>
            <WhyReviewed of={session} />
            <Decisions of={trail.data?.reviews ?? []} />
            {session.status === 'manual_review' && <Pictures of={session} />}
            <h2>{words.session.results}</h2>
            <Findings of={session} />
            <SessionFacts of={session} reviews={trail.data?.reviews} />
            <Loaded query={trail}>{(shown) => <SessionEvents of={shown} />}</Loaded>
          </>
        )}
      </Loaded>
    </>
  );
}

function WhyReviewed({ of: session }: { of: Session }) {
  const { words } = useIdentityText();
  const reasonText = useReasonText();
  const flags = flagsOf(session);
  const { status, rejection_reason: reason = '' } = session;
  if (status !== 'manual_review') {
    return <Notice tone="news">{words.review.failures[reason] ?? words.review.over[status]}</Notice>;
  }
  return (
    <Notice tone="news">
      <p>
        <strong>{words.review.why}</strong>
      </p>
      <ul>
        {flags.length === 0 ? (
          <li>{words.review.noReason}</li>
        ) : (
          flags.map((flag) => <li key={flag}>{reasonText(flag)}</li>)
        )}
      </ul>
    </Notice>
  );
}

/** For who may review. Nothing is asked for where the person showed a kept verification. */
function Pictures({ of: { id, reused_presentation_id: reused } }: { of: Session }) {
  const { words } = useIdentityText();
  const may = useMay();
  if (!may('identity:review')) return null;
  return (
    <section>
      <h2>{words.review.picturesTitle}</h2>
      {reused !== undefined ? (
        <p className="empty">{words.session.reused}</p>
      ) : (
        <>
          <p className="help">
            {words.review.help} {words.review.privacy}
          </p>
          <div className="pictures">
            <div>
              <Picture key={`${id} front`} sessionId={id} kind="doc_front" />
              <Picture key={`${id} back`} sessionId={id} kind="doc_back" />
            </div>
            <Picture key={`${id} selfie`} sessionId={id} kind="selfie" />
          </div>
        </>
      )}
    </section>
  );
}

function SessionFacts({ of: session, reviews }: { of: Session; reviews?: Trail['reviews'] }) {
  const { words, clock } = useIdentityText();
  const { id, subject_id, external_ref, created_at } = session;
  return (
    <Facts
      pairs={[
        [words.session.status, <SessionStatus key="status" of={session} reviews={reviews} />],
        [words.session.reference, external_ref],
        [words.session.opened, clock(created_at)],
        [
          words.session.subject,
          <Link key="subject" to="/identity/subjects/$id" params={{ id: subject_id }}>
            {words.session.showSubject}
          </Link>,
        ],
        [
          words.session.id,
          <Link key="session" to="/identity/sessions/$id" params={{ id }}>
            <code>{id}</code>
          </Link>,
        ],
      ]}
    />
  );
}
