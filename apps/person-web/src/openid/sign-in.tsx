import type { OpenIdEnd, OpenIdState } from '@constancia/contracts/openid';
import { Button, Notice, Screen, useAnnounce, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { Refused } from '../api/capture-api.ts';
import type { SignInLink } from '../api/openid-api.ts';
import { useConsentRequest } from '../consent/use-consent-request.ts';
import { AddressEntry, isAddress } from '../mailed-code/address-entry.tsx';
import { CodeForm } from '../mailed-code/code-form.tsx';
import { useText } from './text/language.ts';

export interface StepProps {
  link: SignInLink;
  state: OpenIdState;
  onEnd: (end: OpenIdEnd) => void;
  onGone: () => void;
}

/** Who asks, and the proof that the wallet is the reader's. What is said is the same whether or not the address opens a wallet. */
export function SignIn({ link, state, onEnd, onGone }: StepProps) {
  const { text, sentenceOf } = useText();
  const focus = useFocus();
  const announce = useAnnounce();
  const { busy, error, run } = useConsentRequest(onGone);
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ challenge: string; at: number } | null>(null);
  const [fault, setFault] = useState<string | null>(null);

  const ask = (name: 'send' | 'again'): Promise<void> =>
    run(name, async () => {
      setFault(null);
      setSent({ challenge: await link.sendCode(email.trim()), at: Date.now() });
      announce(text.code.sent);
      focus('openid-code');
    });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isAddress(email)) return void ask('send');
    setFault(text.signIn.addressFault);
    focus('openid-email');
  };
  const verify = async (challenge: string, code: string): Promise<boolean> => {
    let wrong = false;
    await run('verify', async () => {
      try {
        onEnd(await link.verifyCode(challenge, code));
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== 422) throw failure;
        wrong = true;
      }
    });
    return !wrong;
  };
  const usePasskey = (): Promise<void> => run('passkey', async () => onEnd(await link.verifyPasskey()));
  const refuse = (): Promise<void> => run('refuse', async () => onEnd(await link.refuse()));

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (sent !== null) {
    return (
      <Screen key="code" title={text.code.title} lead={text.code.sent}>
        {failure}
        <CodeForm
          id="openid-code"
          texts={text.code}
          sentAt={sent.at}
          busy={busy === 'verify' || busy === 'again' ? busy : null}
          onCode={(code) => verify(sent.challenge, code)}
          onAgain={() => void ask('again')}
          onOther={() => setSent(null)}
        />
      </Screen>
    );
  }
  const byCode = state.methods.includes('otp');
  return (
    <Screen
      key="sign-in"
      title={text.signIn.title(state.client.name)}
      lead={text.signIn.lead(state.tenant.display_name)}
    >
      <Notice tone="news">{text.signIn.careful(state.returns_to)}</Notice>
      {state.claims.length > 0 && <ClaimList id="asked" title={text.signIn.claims} claims={state.claims} />}
      <section className="part" aria-labelledby="identify">
        <h2 id="identify">{text.signIn.how}</h2>
        {failure}
        {byCode && <p>{text.signIn.asked}</p>}
        <form onSubmit={submit} noValidate>
          {byCode && (
            <AddressEntry
              id="openid-email"
              label={text.signIn.address}
              fault={fault}
              address={email}
              onChange={setEmail}
            />
          )}
          <div className="actions">
            {byCode && (
              <Button look="primary" submit busy={busy === 'send'}>
                {text.signIn.send}
              </Button>
            )}
            {state.methods.includes('passkey') && (
              <Button
                look={byCode ? 'secondary' : 'primary'}
                busy={busy === 'passkey'}
                onPress={() => void usePasskey()}
              >
                {text.signIn.passkey}
              </Button>
            )}
            <Button look="quiet" busy={busy === 'refuse'} onPress={() => void refuse()}>
              {text.refuse}
            </Button>
          </div>
        </form>
      </section>
    </Screen>
  );
}

/** What an application can be given. */
export function ClaimList({ id, title, claims }: { id: string; title: string; claims: OpenIdState['claims'] }) {
  return (
    <section className="part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {claims.map(({ name, label }) => (
          <li key={name}>{label}</li>
        ))}
      </ul>
    </section>
  );
}
