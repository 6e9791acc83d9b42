import { Button } from '@constancia/web';
import { useRef, useState } from 'react';
import { useLanguage } from '../text/language.ts';
import { useJourney } from './journey.tsx';
import { FailureNotice } from './failure-notice.tsx';

/** For who got the link by mistake. It ends nothing for the others. */
export function NotMe() {
  const { text } = useLanguage();
  const { api, attempt, leave } = useJourney();
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);

  const confirm = async (): Promise<void> => {
    setBusy(true);
    await attempt(api.notMe, leave);
    setBusy(false);
  };
  const cancel = (): void => {
    setOpen(false);
    if (dialog.current?.open) dialog.current.close();
  };

  return (
    <>
      <Button
        look="quiet"
        onPress={() => {
          setOpen(true);
          if (typeof dialog.current?.showModal === 'function') dialog.current.showModal();
        }}
      >
        {text.notMe.open}
      </Button>
      <dialog ref={dialog} aria-labelledby="not-me-title" onClose={() => setOpen(false)}>
        {open && (
          <>
            <h2 id="not-me-title">{text.notMe.title}</h2>
            <p>{text.notMe.lead}</p>
            <FailureNotice />
            <div className="actions">
              <Button onPress={cancel}>{text.notMe.cancel}</Button>
              <Button look="danger" busy={busy} onPress={() => void confirm()}>
                {text.notMe.confirm}
              </Button>
            </div>
          </>
        )}
      </dialog>
    </>
  );
}
