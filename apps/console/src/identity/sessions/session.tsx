import { Facts } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../member/member.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Findings } from '../shared/findings.tsx';
import { Decisions, SessionEvents, SessionStatus, useReasonText } from '../shared/session-parts.tsx';
import { type Session as SessionView, useSession, useTrail } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';

const route = getRouteApi('/identity/sessions/$id');

/** One session: where it stands, what each step found, and everything that happened. */
export function Session() {
  const { words } = useIdentityText();
  const may = useMay();
  const { id } = route.useParams();
  const query = useSession(id);
  const trail = useTrail(id);
  return (
    <>
      <PageHead title={words.session.one} of={id}>
        {may('identity:review') && query.data?.status === 'manual_review' && (
          <Link className="button primary" to="/identity/reviews/$id" params={{ id }}>
            {words.session.toReview}
          </Link>
        )}
      </PageHead>
      <Loaded query={query}>
        {(session) => (
          <>
            <SessionFacts of={session} />
            <h2>{words.session.results}</h2>
            <Findings of={session} />
          </>
        )}
      </Loaded>
      <Loaded query={trail}>
        {(shown) => (
          <>
            {shown.reviews.length > 0 && <h2>{words.review.decisions}</h2>}
            <Decisions of={shown.reviews} />
            <SessionEvents of={shown} />
          </>
        )}
      </Loaded>
    </>
  );
}

function SessionFacts({ of: session }: { of: SessionView }) {
  const { words, clock } = useIdentityText();
  const reasonText = useReasonText();
  const { id, subject_id, flow_id, external_ref, current_step: step, reason, rejection_reason } = session;
  const { reused_presentation_id: reused, created_at, expires_at, completed_at } = session;
  return (
    <>
      {reused !== undefined && <p>{words.session.reused}</p>}
      <Facts
        pairs={[
          [words.session.status, <SessionStatus key="status" of={session} />],
          ...(rejection_reason === undefined ? [] : [[words.session.why, reasonText(rejection_reason)] as const]),
          ...(step === null ? [] : [[words.session.step, words.steps[step]] as const]),
          ...(reason === undefined ? [] : [[words.session.again, reasonText(reason)] as const]),
          [words.session.reference, external_ref],
          [words.session.opened, clock(created_at)],
          completed_at === null
            ? [words.session.expires, clock(expires_at)]
            : [words.session.completed, clock(completed_at)],
          [
            words.session.subject,
            <Link key="subject" to="/identity/subjects/$id" params={{ id: subject_id }}>
              {words.session.showSubject}
            </Link>,
          ],
          [
            words.session.flow,
            <Link key="flow" to="/identity/flows/$id" params={{ id: flow_id }}>
              {words.session.showFlow}
            </Link>,
          ],
          ['ID', <code key="id">{id}</code>],
        ]}
      />
    </>
  );
}
