import type { CaptureHandover, CaptureState } from '@constancia/contracts/capture';
import { Button, Notice } from '@constancia/web';
import { useEffect, useState } from 'react';
import { QrCode } from '@constancia/web/qr-code';
import { useSession } from '../session/session.tsx';
import { useText } from '../text/language.ts';

/** Offers to go on with the phone, and shows the code for it. The page follows the state while the code is shown. */
export function HandOver({ state }: { state: CaptureState }) {
  const { text, locale } = useText();
  const { api, attempt, load } = useSession();
  const [handover, setHandover] = useState<CaptureHandover | null>(null);
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (handover === null) return undefined;
    const timer = setInterval(() => void load(), 2_000);
    return () => clearInterval(timer);
  }, [handover, load]);
  if (state.handovers_left === 0 && handover === null) return null;

  const ask = async (): Promise<void> => {
    setBusy(true);
    const outcome = await attempt(async () => setHandover(await api.handover()));
    setFailed(outcome !== 'done');
    setBusy(false);
  };
  if (handover === null)
    return (
      <>
        <Button look="quiet" onPress={() => void ask()} busy={busy}>
          {text.handover.offer}
        </Button>
        {failed && <Notice tone="error">{text.refused}</Notice>}
      </>
    );
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(handover.expires_at));
  return (
    <section className="handover" aria-label={text.handover.title} aria-live="polite">
      <p>{text.handover.lead}</p>
      <QrCode content={handover.url} label={text.handover.picture} />
      <p className="help">{text.handover.until(time)}</p>
    </section>
  );
}
