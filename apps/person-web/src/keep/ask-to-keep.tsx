import type { KeepState, KeepText } from '@constancia/contracts/wallet';
import { Button, Entry, Notice, Tick, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { keepApi } from '../api/keep-api.ts';
import { useText } from '../text/language.ts';
import { useKeeping } from './use-keeping.ts';

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The box, which is not ticked, and once it is, what is kept and where to write to. */
export function AskToKeep({ consent, onAnswer }: { consent: KeepText; onAnswer: (state: KeepState) => void }) {
  const { text, locale } = useText();
  const focus = useFocus();
  const keeping = useKeeping(onAnswer);
  const [agreed, setAgreed] = useState(false);
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const ask = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (keeping.busy) return;
    const valid = ADDRESS.test(email.trim());
    setFault(valid ? null : text.keep.addressFault);
    if (!valid) return focus('keep-email');
    void keeping.send(() => keepApi.request(email.trim(), consent));
  };
  return (
    <form onSubmit={ask} noValidate>
      {keeping.fault !== null && <Notice tone="error">{text.keep.faults[keeping.fault]}</Notice>}
      <Tick id="keep" label={text.keep.tick} ticked={agreed} onTick={setAgreed} required={false} />
      {agreed && (
        <>
          <section className="consent-text" tabIndex={0} aria-label={text.keep.text} lang={consent.locale}>
            {consent.locale !== locale && (
              <div lang={locale}>
                <Notice tone="news">{text.consent.otherLanguage}</Notice>
              </div>
            )}
            <p>{consent.text}</p>
          </section>
          <Entry id="keep-email" label={text.keep.address} help={text.keep.addressHelp} fault={fault}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                inputMode="email"
                autoComplete="email"
                maxLength={254}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Entry>
          <div className="actions">
            <Button look="primary" submit busy={keeping.busy}>
              {text.keep.submit}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
