import { Button, Notice, Screen, useAnnounce, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { Refused } from '../api/capture-api.ts';
import { requestCode, signIn, signInWithPasskey, type SignedIn } from '../api/wallet-api.ts';
import { AddressEntry, isAddress } from '../mailed-code/address-entry.tsx';
import { CodeForm } from '../mailed-code/code-form.tsx';
import { useRequest } from '../session/use-request.ts';
import { useText } from './text/language.ts';

/** Why the reader is here. left: the page was left meanwhile. erasing: the session ended before an erasure was answered. */
export type SignInNews = 'ended' | 'signedOut' | 'left' | 'erasing';

interface SignInProps {
  news: SignInNews | null;
  onSession: (session: SignedIn) => void;
  onLostAccess: () => void;
}

/** An address, and the code that is mailed to it. What is said is the same whether or not the address opens a wallet. */
export function SignIn({ news, onSession, onLostAccess }: SignInProps) {
  const { text, sentenceOf } = useText();
  const focus = useFocus();
  const announce = useAnnounce();
  const { busy, error, run } = useRequest();
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ challenge: string; at: number } | null>(null);
  const [fault, setFault] = useState<string | null>(null);

  const ask = (name: 'send' | 'again'): Promise<void> =>
    run(name, async () => {
      setFault(null);
      setSent({ challenge: await requestCode(email.trim()), at: Date.now() });
      announce(text.signIn.sent);
      focus('wallet-code');
    });

  const submitAddress = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isAddress(email)) return void ask('send');
    setFault(text.signIn.addressFault);
    focus('wallet-email');
  };

  const verify = async (challenge: string, code: string): Promise<boolean> => {
    let wrong = false;
    await run('verify', async () => {
      try {
        onSession(await signIn(challenge, code));
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== 401) throw failure;
        wrong = true;
      }
    });
    return !wrong;
  };

  const usePasskey = (): Promise<void> => run('passkey', async () => onSession(await signInWithPasskey()));

  const otherAddress = (): void => {
    setSent(null);
    setFault(null);
    focus('wallet-email');
  };

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (sent === null) {
    return (
      <Screen key="address" title={text.signIn.title} lead={text.signIn.lead}>
        {news !== null && news !== 'left' && error === null && (
          <Notice tone={news === 'signedOut' ? 'news' : 'warning'}>{text.signIn.news[news]}</Notice>
        )}
        {failure}
        <form onSubmit={submitAddress} noValidate>
          <AddressEntry
            id="wallet-email"
            label={text.signIn.address}
            fault={fault}
            address={email}
            onChange={setEmail}
          />
          <div className="actions">
            <Button look="primary" submit busy={busy === 'send'}>
              {text.signIn.send}
            </Button>
            <Button busy={busy === 'passkey'} onPress={() => void usePasskey()}>
              {text.passkeys.signIn}
            </Button>
            <Button look="quiet" onPress={onLostAccess}>
              {text.recovery.open}
            </Button>
          </div>
        </form>
      </Screen>
    );
  }
  const { codeHelp: help, codeFault, ...texts } = text.signIn;
  return (
    <Screen key="code" title={text.signIn.codeTitle} lead={text.signIn.sent}>
      {failure}
      <CodeForm
        id="wallet-code"
        texts={{ ...texts, help, fault: codeFault }}
        sentAt={sent.at}
        busy={busy === 'verify' || busy === 'again' ? busy : null}
        onCode={(code) => verify(sent.challenge, code)}
        onAgain={() => void ask('again')}
        onOther={otherAddress}
      />
    </Screen>
  );
}
