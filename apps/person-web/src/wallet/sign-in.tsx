import { Button, Entry, Notice, Screen, useAnnounce, useFocus, useSecondsUntil } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { Refused } from '../api/capture-api.ts';
import { requestCode, signIn, signInWithPasskey, type SignedIn } from '../api/wallet-api.ts';
import { useText } from './text/language.ts';
import { useRequest } from './use-request.ts';

/** Why the reader is here. left: the page was left meanwhile. erasing: the session ended before an erasure was answered. */
export type SignInNews = 'ended' | 'signedOut' | 'left' | 'erasing';

const DIGITS = 6;
/** What the server checks in full. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** A code is mailed once a minute. */
const AGAIN_MS = 60_000;

interface SignInProps {
  news: SignInNews | null;
  onSession: (session: SignedIn) => void;
}

/** An address, and the code that is mailed to it. What is said is the same whether or not the address opens a wallet. */
export function SignIn({ news, onSession }: SignInProps) {
  const { text, sentenceOf } = useText();
  const focus = useFocus();
  const announce = useAnnounce();
  const { busy, error, run } = useRequest();
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ challenge: string; at: number } | null>(null);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const wait = useSecondsUntil(sent === null ? null : sent.at + AGAIN_MS);

  const ask = (name: string): Promise<void> =>
    run(name, async () => {
      setFault(null);
      setSent({ challenge: await requestCode(email.trim()), at: Date.now() });
      setCode('');
      announce(text.signIn.sent);
      focus('wallet-code');
    });

  const submitAddress = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ADDRESS.test(email.trim())) return void ask('send');
    setFault(text.signIn.addressFault);
    focus('wallet-email');
  };

  const submitCode = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (code.length === DIGITS) return void verify();
    setFault(text.signIn.codeFault);
    focus('wallet-code');
  };

  const verify = (): Promise<void> =>
    run('verify', async () => {
      setFault(null);
      try {
        onSession(await signIn(sent?.challenge ?? '', code));
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== 401) throw failure;
        setCode('');
        setFault(text.signIn.wrong);
        focus('wallet-code');
      }
    });

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
          <Entry id="wallet-email" label={text.signIn.address} fault={fault}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                inputMode="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={254}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Entry>
          <div className="actions">
            <Button look="primary" submit busy={busy === 'send'}>
              {text.signIn.send}
            </Button>
            <Button busy={busy === 'passkey'} onPress={() => void usePasskey()}>
              {text.passkeys.signIn}
            </Button>
          </div>
        </form>
      </Screen>
    );
  }
  return (
    <Screen key="code" title={text.signIn.codeTitle} lead={text.signIn.sent}>
      {failure}
      <form onSubmit={submitCode} noValidate>
        <Entry id="wallet-code" label={text.signIn.code} help={text.signIn.codeHelp} fault={fault}>
          {(wiring) => (
            <input
              {...wiring}
              className="code"
              type="text"
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              value={code}
              onChange={(event) => setCode(digits(event.target.value))}
            />
          )}
        </Entry>
        <div className="actions">
          <Button look="primary" submit busy={busy === 'verify'}>
            {text.signIn.submit}
          </Button>
          <Button busy={busy === 'again'} waiting={wait > 0} onPress={() => void ask('again')}>
            {wait > 0 ? text.signIn.againIn(wait) : text.signIn.again}
          </Button>
          <Button look="quiet" onPress={otherAddress}>
            {text.signIn.other}
          </Button>
        </div>
      </form>
    </Screen>
  );
}

/** What was typed or pasted, such as "123 456", as a code. */
const digits = (typed: string): string => typed.replace(/\D/g, '').slice(0, DIGITS);
