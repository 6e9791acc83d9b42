import { Button, Notice, Screen } from '@constancia/web';
import { requestCode, signIn, signInWithPasskey, type SignedIn } from '../api/wallet-api.ts';
import { AddressEntry } from '../mailed-code/address-entry.tsx';
import { CodeForm } from '../mailed-code/code-form.tsx';
import { useMailedCode } from '../mailed-code/use-mailed-code.ts';
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
  const requests = useRequest();
  const { busy, error, run } = requests;
  const { entry, submit, form } = useMailedCode({
    page: 'wallet',
    requests,
    texts: text.signIn,
    send: requestCode,
    verify: async (challenge, code) => onSession(await signIn(challenge, code)),
    wrong: 401,
  });
  const usePasskey = (): Promise<void> => run('passkey', async () => onSession(await signInWithPasskey()));

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (form === null) {
    return (
      <Screen key="address" title={text.signIn.title} lead={text.signIn.lead}>
        {news !== null && news !== 'left' && error === null && (
          <Notice tone={news === 'signedOut' ? 'news' : 'warning'}>{text.signIn.news[news]}</Notice>
        )}
        {failure}
        <form onSubmit={submit} noValidate>
          <AddressEntry {...entry} label={text.signIn.address} />
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
      <CodeForm {...form} texts={{ ...texts, help, fault: codeFault }} />
    </Screen>
  );
}
