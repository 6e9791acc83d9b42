import type { WalletErasure } from '@constancia/contracts/wallet';
import { Button, Notice, Tick, useFocus } from '@constancia/web';
import { useState } from 'react';
import type { SignedIn } from '../api/wallet-api.ts';
import type { SignInNews } from './sign-in.tsx';
import { useText } from './text/language.ts';
import { useRequest } from '../session/use-request.ts';

interface EraseProps {
  session: SignedIn;
  onEnd: (news: SignInNews) => void;
  onErased: (receipt: WalletErasure) => void;
}

/** Erasing the wallet, in two steps: the second says what goes, what stays and that it is for good, and needs a tick. */
export function Erase({ session, onEnd, onErased }: EraseProps) {
  const { text, sentenceOf } = useText();
  const focus = useFocus();
  const [asked, setAsked] = useState(false);
  const [understood, setUnderstood] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  // The session has ended: by itself, or with a wallet that an earlier request erased, whose answer was lost.
  const { busy, error, run } = useRequest(() => onEnd('erasing'));

  const open = (): void => {
    setAsked(true);
    focus('erase-understood');
  };
  const cancel = (): void => {
    setAsked(false);
    setUnderstood(false);
    setFault(null);
    focus('erase');
  };
  const erase = (): void => {
    setFault(understood ? null : text.erase.missing);
    if (!understood) return focus('erase-understood');
    void run('erase', async () => onErased(await session.erase()));
  };
  return (
    <section className="part" aria-labelledby="erase-heading">
      <h2 id="erase-heading">{text.erase.title}</h2>
      {!asked ? (
        <div className="actions">
          <Button id="erase" onPress={open}>
            {text.erase.open}
          </Button>
        </div>
      ) : (
        <>
          {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
          <ul>
            {text.erase.consequences.map((consequence) => (
              <li key={consequence}>{consequence}</li>
            ))}
          </ul>
          <Tick
            id="erase-understood"
            label={text.erase.understood}
            ticked={understood}
            onTick={setUnderstood}
            fault={fault}
          />
          <div className="actions">
            <Button look="danger" busy={busy === 'erase'} onPress={erase}>
              {text.erase.submit}
            </Button>
            <Button onPress={cancel}>{text.erase.cancel}</Button>
          </div>
        </>
      )}
    </section>
  );
}
