import { Notice, State } from '@constancia/web';
import { useIdentityText } from '../text/language.ts';
import type { SessionRow, Trail } from './use-session.ts';

const KINDS = { in_progress: 'wait', manual_review: 'wait', completed: 'good', failed: 'bad' } as const;

/** Where a session stands; in review also whether another person is waited for. */
export function SessionStatus({ of: { status, pending_approval: pending } }: { of: SessionRow }) {
  const { words } = useIdentityText();
  return (
    <span>
      <State kind={KINDS[status]}>{words.statuses[status]}</State>{' '}
      {pending === true && <small>{words.session.pending}</small>}
    </span>
  );
}

/** A stable word of the API as a sentence; one with the step before it (`document_upload:blurred`) as well. */
export function useReasonText(): (reason: string) => string {
  const { words } = useIdentityText();
  return (reason) => words.reasons[reason.split(':').at(-1) ?? ''] ?? reason;
}

/** What people decided so far, and why. */
export function Decisions({ of: reviews }: { of: Trail['reviews'] }) {
  const { words, clock } = useIdentityText();
  return reviews.map(({ review_id, decision, actor, status, reason, created_at }) => (
    <Notice key={review_id} tone={decision === 'approve' ? 'good' : 'news'}>
      <p>
        <strong>{actor}</strong> · {words.decisions[decision]} · {words.review.states[status]} · {clock(created_at)}
      </p>
      {reason === null ? <p className="help">{words.review.reasonErased}</p> : <blockquote>{reason}</blockquote>}
    </Notice>
  ));
}

/** What happened in a session, the newest first, and whether it is what was written. */
export function SessionEvents({ of: { data, next_cursor, chain_valid } }: { of: Trail }) {
  const { words, clock } = useIdentityText();
  const actors: Readonly<Record<string, string>> = words.session.actors;
  return (
    <section>
      <h2>
        {words.session.events}{' '}
        <State kind={chain_valid ? 'good' : 'bad'}>
          {chain_valid ? words.session.chainValid : words.session.chainBroken}
        </State>
      </h2>
      {next_cursor !== null && <p className="help">{words.session.firstEvents}</p>}
      <ol className="timeline" reversed>
        {data.toReversed().map((event) => (
          <li key={event.seq}>
            <time dateTime={event.at}>{clock(event.at)}</time> <strong>{actors[event.actor] ?? event.actor}</strong>{' '}
            <EventText of={event} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What it was, about which step, and why. */
function EventText({ of: { type, step, data } }: { of: Trail['data'][number] }) {
  const { words } = useIdentityText();
  const reasonText = useReasonText();
  const { reason, decision, pending_approval: pending } = data;
  const parts = [
    pending === true ? words.session.recorded : words.session.eventTypes[type],
    step !== null && (words.steps[step as keyof typeof words.steps] ?? step),
    (decision === 'approve' || decision === 'reject') && words.decisions[decision],
    typeof reason === 'string' && reasonText(reason),
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}
