import { Button, Entry, useFocus } from '@constancia/web';
import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { SignState } from '../api/sign-state.ts';
import { useLanguage } from '../text/language.ts';
import { useJourney } from './journey.tsx';
import { NotMe } from './not-me.tsx';
import { FailureNotice, useWaitSeconds } from './failure-notice.tsx';
import { dueToDecline } from './steps.ts';

const LONGEST_REASON = 500;

/** The way out: asked for twice, with a reason, since it ends the envelope for everyone. */
export function Decline({ state }: { state: SignState }) {
  return isOpen(state) ? <WayOut state={state} /> : null;
}

const isOpen = ({ envelope, signer }: SignState): boolean =>
  signer.status !== 'signed' && (envelope.status === 'sent' || envelope.status === 'in_progress');

function WayOut({ state }: { state: SignState }) {
  const { text } = useLanguage();
  const focus = useFocus();
  const { api, attempt, wish, setWish } = useJourney();
  const due = dueToDecline(state);
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const waitSeconds = useWaitSeconds();

  const decline = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (busy || waitSeconds > 0) return;
    if (reason.trim() === '') {
      setFault(text.decline.missing);
      focus('reason');
      return;
    }
    setBusy(true);
    const refused = await attempt(() => api.decline(reason.trim()));
    setBusy(false);
    if (refused !== null) setFault(text.notices.notAccepted);
  };

  const show = useCallback(() => {
    setOpen(true);
    // Browsers without dialogs show the form where it stands.
    if (typeof dialog.current?.showModal === 'function' && !dialog.current.open) dialog.current.showModal();
  }, []);
  // Back from the code that this takes.
  useEffect(() => {
    if (wish !== 'decline' || due !== undefined) return;
    setWish(null);
    show();
  }, [wish, due, setWish, show]);

  const cancel = (): void => {
    setOpen(false);
    if (dialog.current?.open) dialog.current.close();
  };

  return (
    <>
      <div className="way-out">
        <Button look="quiet" onPress={() => (due === undefined ? show() : setWish('decline'))}>
          {text.decline.open}
        </Button>
        <NotMe />
      </div>
      <dialog ref={dialog} aria-labelledby="decline-title" onClose={() => setOpen(false)}>
        {open && (
          <form onSubmit={(event) => void decline(event)} noValidate>
            <h2 id="decline-title">{text.decline.title}</h2>
            <p>{text.decline.lead(state.envelope.tenant.display_name)}</p>
            <FailureNotice />
            <Entry id="reason" label={text.decline.reason} fault={fault}>
              {(wiring) => (
                <textarea
                  {...wiring}
                  rows={3}
                  maxLength={LONGEST_REASON}
                  value={reason}
                  onChange={(event) => setReason(event.target.value)}
                />
              )}
            </Entry>
            <div className="actions">
              <Button onPress={cancel}>{text.decline.cancel}</Button>
              <Button look="danger" submit busy={busy} waiting={waitSeconds > 0}>
                {text.decline.confirm}
              </Button>
            </div>
          </form>
        )}
      </dialog>
    </>
  );
}
