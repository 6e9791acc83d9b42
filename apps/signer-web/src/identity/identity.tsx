import { Notice, Screen, useAnnounce } from '@constancia/web';
import { useEffect } from 'react';
import type { IdentityCheck, SignState } from '../api/sign-state.ts';
import { loadViewer } from '@constancia/web/pdf';
import { Decline } from '../journey/decline.tsx';
import { FailureNotice } from '../journey/failure-notice.tsx';
import { Progress } from '../journey/progress.tsx';
import { Purpose } from '../journey/purpose.tsx';
import { useLanguage } from '../text/language.ts';
import { DocumentForm } from './document-form.tsx';
import { useIdentityCheck } from './use-identity-check.ts';

/** The signer proves an identity: names a document, takes the flow in another tab, and goes on here. */
export function Identity({ state }: { state: SignState }) {
  const { text } = useLanguage();
  const announce = useAnnounce();
  const [check, setCheck] = useIdentityCheck();
  const { display_name: sender } = state.envelope.tenant;
  const status = check?.status;
  useEffect(() => void loadViewer().catch(() => undefined), []);
  useEffect(() => {
    if (status === 'open') announce(text.identity.ready);
    if (status === 'in_review') announce(text.identity.review);
    if (status === 'verified') announce(text.identity.verified);
  }, [status, announce, text]);

  return (
    <>
      <Progress state={state} step="identity" />
      <Screen title={text.identity.title} lead={text.identity.lead(sender)}>
        {check === undefined || status === 'requested' || status === 'verified' ? (
          <>
            <progress aria-label={text.identity.preparing} />
            <FailureNotice />
          </>
        ) : check?.status === 'open' ? (
          <OtherTab check={check} />
        ) : check?.status === 'in_review' ? (
          <InReview />
        ) : (
          <>
            {check && <Outcome status={check.status} sender={sender} />}
            <DocumentForm onStarted={setCheck} />
          </>
        )}
        <Purpose />
        <Decline state={state} />
      </Screen>
    </>
  );
}

function OtherTab({ check }: { check: IdentityCheck }) {
  const { text } = useLanguage();
  return (
    <>
      <h2>{text.identity.ready}</h2>
      <p>{text.identity.readyLead}</p>
      <FailureNotice />
      <div className="actions">
        {check.capture_url !== null && (
          <a
            className="button primary"
            href={check.capture_url}
            target="_blank"
            rel="noopener noreferrer"
            aria-describedby="opens"
          >
            {text.identity.open}
          </a>
        )}
      </div>
      <p className="help" id="opens">
        {text.identity.opens}
      </p>
      <progress aria-label={text.identity.waiting} />
      <p className="help">{text.identity.waiting}</p>
    </>
  );
}

function InReview() {
  const { text } = useLanguage();
  return (
    <Notice tone="news">
      <p>{text.identity.review}</p>
      <p>{text.identity.reviewLead}</p>
    </Notice>
  );
}

/** How the last check ended. It never says why. */
function Outcome({ status, sender }: { status: IdentityCheck['status']; sender: string }) {
  const { text } = useLanguage();
  const { identity } = text;
  const outcomes: Partial<Record<IdentityCheck['status'], [title: string, help: string]>> = {
    name_mismatch: [identity.nameMismatch, identity.nameHelp(sender)],
    not_verified: [identity.notVerified, identity.notVerifiedHelp(sender)],
    expired: [identity.expired, identity.expiredHelp],
    refused: [identity.refused, identity.refusedHelp(sender)],
  };
  const [title, help] = outcomes[status] ?? [];
  return title === undefined ? null : (
    <Notice tone="warning">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{help}</p>
    </Notice>
  );
}
