import { Button, Field, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useSecondPerson } from '../../member/compliance-settings.ts';
import { useMay } from '../../member/member.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { textIn } from '../../parts/text-in.ts';
import { Decisions, SessionStatus } from '../shared/session-parts.tsx';
import { type Review, type SessionRow, type Trail, useReview } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';

interface DecideProps {
  session: SessionRow;
  reviews: Trail['reviews'];
}

/** The two buttons of a review. What somebody decided meanwhile is shown in the dialog, which keeps what was written. */
export function Decide({ session, reviews }: DecideProps) {
  const { words } = useIdentityText();
  const may = useMay();
  const [asked, setAsked] = useState<Review['decision'] | null>(null);
  const waits = useSecondPerson([]) && reviews.every(({ status }) => status !== 'waiting');
  const mayDecide = may('identity:review') && session.status === 'manual_review';
  return (
    <>
      {mayDecide && (
        <>
          <Button look="primary" onPress={() => setAsked('approve')}>
            {words.review.approve}
          </Button>
          <Button look="danger" onPress={() => setAsked('reject')}>
            {words.review.reject}
          </Button>
        </>
      )}
      {asked !== null && (
        <DecisionDialog {...{ session, reviews, waits }} decision={asked} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface DecisionDialogProps extends DecideProps {
  decision: Review['decision'];
  /** The decision is not the last one: a second person has to decide the same. */
  waits: boolean;
  onClose: () => void;
}

function DecisionDialog({ decision, session, reviews, waits, onClose }: DecisionDialogProps) {
  const { words } = useIdentityText();
  const announce = useAnnounce();
  const review = useReview(session.id);
  const [conflict, setConflict] = useState<keyof typeof words.review.conflicts | null>(null);
  const rejects = decision === 'reject';
  const send = async (form: FormData): Promise<void> => {
    const { status, failure } = await review({ decision, reason: textIn(form, 'reason') });
    if (failure !== null) {
      const isConflict = failure instanceof ApiError && failure.slug === 'state-conflict';
      setConflict(!isConflict ? null : status === 'refused' ? 'refused' : 'overtaken');
      throw failure;
    }
    announce(words.review.done[status === 'waiting' || status === 'asked' ? status : 'decided']);
  };
  return (
    <FormDialog
      title={rejects ? words.review.rejectTitle : words.review.approveTitle}
      lead={rejects ? words.review.rejectLead : words.review.approveLead}
      submit={rejects ? words.review.reject : words.review.approve}
      dangerous={rejects}
      problems={{ 'state-conflict': words.review.conflicts[conflict ?? 'overtaken'] }}
      onClose={onClose}
      onSubmit={send}
    >
      {conflict !== null && (
        <>
          <h3>
            {words.review.now}: <SessionStatus of={session} reviews={reviews} />
          </h3>
          <Decisions of={reviews} />
        </>
      )}
      {waits && (
        <Notice tone="news">
          <p>{words.review.secondPerson}</p>
        </Notice>
      )}
      <Field
        name="reason"
        label={words.review.reason}
        hint={words.review.reasonHint}
        lines={4}
        maxLength={1000}
        required
      />
    </FormDialog>
  );
}
