import type { ConsentState } from '@constancia/contracts/consent';
import { Button, Notice, Screen, useAnnounce, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { Refused } from '../api/capture-api.ts';
import type { ConsentLink, ReadState } from '../api/consent-api.ts';
import { AddressEntry, isAddress } from '../mailed-code/address-entry.tsx';
import { CodeForm } from '../mailed-code/code-form.tsx';
import { RefuseButtons, type Refusing } from './refuse-buttons.tsx';
import { RequestFacts } from './request-facts.tsx';
import { useText } from './text/language.ts';
import { useConsentRequest } from './use-consent-request.ts';

interface IdentifyProps {
  link: ConsentLink;
  state: ConsentState;
  endsAt: number;
  onProved: (read: ReadState) => void;
  onGone: () => void;
  onRefuse: (how: Refusing) => void;
}

/** Who asks for what, and the proof that the wallet is the reader's. The link alone shows nothing about a person. */
export function Identify({ link, state, endsAt, onProved, onGone, onRefuse }: IdentifyProps) {
  const { text, sentenceOf } = useText();
  const focus = useFocus();
  const announce = useAnnounce();
  const { busy, error, run } = useConsentRequest(onGone);
  const [email, setEmail] = useState('');
  const [sentAt, setSentAt] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const asksAddress = state.challenge?.address === 'asked';
  const methods = state.challenge?.methods ?? [];

  const ask = (name: 'send' | 'again'): Promise<void> =>
    run(name, async () => {
      setFault(null);
      await link.sendCode(asksAddress ? email.trim() : undefined);
      setSentAt(Date.now());
      announce(text.code.sent);
      focus('consent-code');
    });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!asksAddress || isAddress(email)) return void ask('send');
    setFault(text.identify.addressFault);
    focus('consent-email');
  };
  const verify = async (code: string): Promise<boolean> => {
    let wrong = false;
    await run('verify', async () => {
      try {
        onProved(await link.verifyCode(code));
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== 422) throw failure;
        wrong = true;
      }
    });
    return !wrong;
  };
  const usePasskey = (): Promise<void> => run('passkey', async () => onProved(await link.verifyPasskey()));

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (sentAt !== null) {
    return (
      <Screen key="code" title={text.code.title} lead={text.code.sent}>
        {failure}
        <CodeForm
          id="consent-code"
          texts={text.code}
          sentAt={sentAt}
          busy={busy === 'verify' || busy === 'again' ? busy : null}
          onCode={verify}
          onAgain={() => void ask('again')}
          onOther={() => setSentAt(null)}
        />
      </Screen>
    );
  }
  return (
    <Screen key="request" title={text.request.title(state.tenant.display_name)}>
      <RequestFacts state={state} endsAt={endsAt} />
      <section className="part" aria-labelledby="claims">
        <h2 id="claims">{text.request.claims}</h2>
        <ul>
          {state.claims.map(({ name, label, required }) => (
            <li key={name}>
              {label}
              {!required && ` (${text.page.optional})`}
            </li>
          ))}
        </ul>
      </section>
      <section className="part" aria-labelledby="identify">
        <h2 id="identify">{text.identify.title}</h2>
        {failure}
        <p>{asksAddress ? text.identify.asked : text.identify.registered}</p>
        <form onSubmit={submit} noValidate>
          {asksAddress && (
            <AddressEntry
              id="consent-email"
              label={text.identify.address}
              fault={fault}
              address={email}
              onChange={setEmail}
            />
          )}
          <div className="actions">
            <Button look="primary" submit busy={busy === 'send'}>
              {text.identify.send}
            </Button>
            {methods.includes('passkey') && (
              <Button busy={busy === 'passkey'} onPress={() => void usePasskey()}>
                {text.identify.passkey}
              </Button>
            )}
            <RefuseButtons onRefuse={onRefuse} />
          </div>
        </form>
      </section>
    </Screen>
  );
}
