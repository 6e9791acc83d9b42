import { type KeepState, WALLET_PAGE } from '@constancia/contracts/wallet';
import { Notice } from '@constancia/web';
import { useEffect, useState } from 'react';
import { keepApi } from '../api/keep-api.ts';
import { useText } from '../text/language.ts';
import { AskToKeep } from './ask-to-keep.tsx';
import { ConfirmAddress } from './confirm-address.tsx';

/** Offers to keep the verification. Where nothing can be kept, or the server does not answer, it shows nothing: the session is over anyway. */
export function KeepVerification() {
  const { text, locale } = useText();
  const [state, setState] = useState<KeepState | null>(null);
  const [otherAddress, setOtherAddress] = useState(false);
  useEffect(() => {
    let shown = true;
    keepApi.state().then(
      (answer) => shown && setState(answer),
      () => undefined,
    );
    return () => {
      shown = false;
    };
  }, []);
  if (state === null) return null;
  const show = (answer: KeepState): void => {
    setOtherAddress(false);
    setState(answer);
  };
  return (
    <section className="keep" aria-labelledby="keep-heading">
      <h2 id="keep-heading">{text.keep.title}</h2>
      {state.state === 'confirmed' ? (
        <>
          <Notice tone="good">{text.keep.confirmed}</Notice>
          <p>
            {text.keep.wallet}{' '}
            <a href={`${WALLET_PAGE}?lang=${locale === 'en' ? 'en' : 'es'}`} rel="noreferrer">
              {`${window.location.host}${WALLET_PAGE}`}
            </a>
          </p>
        </>
      ) : state.state === 'code_sent' && !otherAddress ? (
        <ConfirmAddress email={state.email ?? ''} onAnswer={show} onOther={() => setOtherAddress(true)} />
      ) : (
        <AskToKeep consent={state.consent} onAnswer={show} />
      )}
    </section>
  );
}
