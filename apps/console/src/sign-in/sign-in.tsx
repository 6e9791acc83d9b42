import { Button, CodeEntry, Entry, isCode, Notice, Screen, useAnnounce, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { signInWithPasskey } from '../account/passkeys.ts';
import { ApiError } from '../api/api-error.ts';
import {
  callConsole,
  type CodeAnswer,
  type RequiredMethod,
  type SessionView,
  type TenantChoice,
} from '../api/console-host.ts';
import { useText } from '../text/language.ts';

/** What the server checks in full. */
const ADDRESS = /^\S+@\S+\.\S+$/;

/** Why the reader is here. */
export type SignInNews = 'ended' | 'signed-out' | 'passkey-added' | RequiredMethod;

interface SignInProps {
  news: SignInNews | null;
  onSession: (view: SessionView) => void;
  /** To the organization's own identity provider. */
  onSso: () => void;
}

/** An address, the code that is mailed to it, and for members of several tenants the tenant. */
export function SignIn({ news: given, onSession, onSso }: SignInProps) {
  const { text, signInSentenceOf } = useText();
  const focus = useFocus();
  const announce = useAnnounce();
  const [news, setNews] = useState(given);
  const [step, setStep] = useState<'address' | 'code' | 'tenant'>('address');
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [tenants, setTenants] = useState<TenantChoice[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);

  const run = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    setFault(null);
    setError(null);
    await work().catch(setError);
    setBusy(null);
  };

  const requestCode = (name: string): Promise<void> =>
    run(name, async () => {
      await callConsole('POST', '/code', { email: email.trim() });
      setCode('');
      setStep('code');
      announce(text.signIn.sent);
      focus('code');
    });

  const submitAddress = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ADDRESS.test(email.trim())) void requestCode('send');
    else {
      setFault(text.signIn.noAddress);
      focus('email');
    }
  };

  const signIn = (name: string, tenantId?: string): Promise<void> =>
    run(name, async () => {
      try {
        const body = { email: email.trim(), code, ...(tenantId === undefined ? {} : { tenant_id: tenantId }) };
        const answer = await callConsole<CodeAnswer>('POST', '', body);
        if ('member' in answer) return onSession(answer);
        if ('required' in answer) {
          setNews(answer.required);
          return change();
        }
        setTenants(answer.choose);
        setStep('tenant');
      } catch (refused) {
        if (!(refused instanceof ApiError) || refused.status !== 401) throw refused;
        setStep('code');
        setCode('');
        setFault(text.signIn.wrong);
        focus('code');
      }
    });

  const usePasskey = (): Promise<void> =>
    run('passkey', async () => {
      const answer = await signInWithPasskey();
      if ('member' in answer) onSession(answer);
      else setNews(answer.required);
    });

  const submitCode = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isCode(code)) void signIn('verify');
    else {
      setFault(text.signIn.incomplete);
      focus('code');
    }
  };

  const failure = error !== null && <Notice tone="error">{signInSentenceOf(error)}</Notice>;
  const change = (): void => {
    setStep('address');
    setFault(null);
    setError(null);
    setCode('');
    focus('email');
  };

  if (step === 'tenant') {
    return (
      <Screen key="tenant" title={text.signIn.choose} lead={text.signIn.chooseLead}>
        {failure}
        <ul className="choices">
          {tenants.map(({ tenant_id, name }) => (
            <li key={tenant_id}>
              <Button busy={busy === tenant_id} onPress={() => void signIn(tenant_id, tenant_id)}>
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </Screen>
    );
  }
  if (step === 'code') {
    return (
      <Screen key="code" title={text.signIn.codeTitle} lead={text.signIn.sent}>
        {failure}
        <form onSubmit={submitCode} noValidate>
          <CodeEntry
            id="code"
            label={text.signIn.code}
            help={text.signIn.codeHelp}
            fault={fault}
            code={code}
            onChange={setCode}
          />
          <div className="actions">
            <Button look="primary" submit busy={busy === 'verify'}>
              {text.signIn.submit}
            </Button>
            <Button busy={busy === 'again'} onPress={() => void requestCode('again')}>
              {text.signIn.again}
            </Button>
            <Button look="quiet" onPress={change}>
              {text.signIn.change}
            </Button>
          </div>
        </form>
      </Screen>
    );
  }
  return (
    <Screen key="address" title={text.signIn.title} lead={text.signIn.lead}>
      {news !== null && error === null && (
        <Notice tone={news === 'signed-out' || news === 'passkey-added' ? 'news' : 'warning'}>
          {text.signIn.news[news]}
        </Notice>
      )}
      {failure}
      <form onSubmit={submitAddress} noValidate>
        <Entry id="email" label={text.signIn.email} fault={fault}>
          {(wiring) => (
            <input
              {...wiring}
              type="email"
              autoComplete="username"
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
          <Button look="quiet" onPress={onSso}>
            {text.sso.open}
          </Button>
        </div>
      </form>
    </Screen>
  );
}
