import { Button, Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useMay } from '../../member/member.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
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
        <DecisionDialog decision={asked} session={session} reviews={reviews} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface DecisionDialogProps extends DecideProps {
  decision: Review['decision'];
  onClose: () => void;
}

function DecisionDialog({ decision, session, reviews, onClose }: DecisionDialogProps) {
  const { words } = useIdentityText();
  const announce = useAnnounce();
  const review = useReview(session.id);
  const [overtaken, setOvertaken] = useState(false);
  const rejects = decision === 'reject';
  const send = async (form: FormData): Promise<void> => {
    const { pending_approval: pending } = await review({ decision, reason: String(form.get('reason')).trim() }).catch(
      (failure: unknown) => {
        setOvertaken(failure instanceof ApiError && failure.slug === 'state-conflict');
        throw failure;
      },
    );
    announce(pending === true ? words.review.second : words.review.decided);
  };
  return (
    <FormDialog
      title={rejects ? words.review.rejectTitle : words.review.approveTitle}
      lead={rejects ? words.review.rejectLead : words.review.approveLead}
      submit={rejects ? words.review.reject : words.review.approve}
      dangerous={rejects}
      problems={{ 'state-conflict': words.review.overtaken }}
      onClose={onClose}
      onSubmit={send}
    >
      {overtaken && (
        <>
          <h3>
            {words.review.now}: <SessionStatus of={session} />
          </h3>
          <Decisions of={reviews} />
        </>
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
