import type { KeepState, KeepText } from '@constancia/contracts/wallet';
import { Button, Notice, Tick, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { keepApi } from '../api/keep-api.ts';
import { AddressEntry, isAddress } from '../mailed-code/address-entry.tsx';
import { useRequest } from '../session/use-request.ts';
import { useText } from '../text/language.ts';
import { keepFault } from './keep-fault.ts';

/** The box, which is not ticked, and once it is, what is kept and where to write to. */
export function AskToKeep({ consent, onAnswer }: { consent: KeepText; onAnswer: (state: KeepState) => void }) {
  const { text, locale } = useText();
  const focus = useFocus();
  const { busy, error, run } = useRequest();
  const [agreed, setAgreed] = useState(false);
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const ask = (event: SyntheticEvent): void => {
    event.preventDefault();
    setFault(isAddress(email) ? null : text.keep.addressFault);
    if (!isAddress(email)) return focus('keep-email');
    void run('send', async () => onAnswer(await keepApi.request(email.trim(), consent)));
  };
  return (
    <form onSubmit={ask} noValidate>
      {error !== null && <Notice tone="error">{text.keep.faults[keepFault(error)]}</Notice>}
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
          <AddressEntry
            id="keep-email"
            label={text.keep.address}
            help={text.keep.addressHelp}
            fault={fault}
            address={email}
            onChange={setEmail}
          />
          <div className="actions">
            <Button look="primary" submit busy={busy !== null}>
              {text.keep.submit}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
