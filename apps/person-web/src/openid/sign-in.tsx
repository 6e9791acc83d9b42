import type { OpenIdEnd, OpenIdState } from '@constancia/contracts/openid';
import { Button, Notice, Screen } from '@constancia/web';
import type { SignInLink } from '../api/openid-api.ts';
import { useLinkRequest } from '../session/use-link-request.ts';
import { AddressEntry } from '../mailed-code/address-entry.tsx';
import { CodeForm } from '../mailed-code/code-form.tsx';
import { useMailedCode } from '../mailed-code/use-mailed-code.ts';
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
  const requests = useLinkRequest(onGone);
  const { busy, error, run } = requests;
  const { entry, submit, form } = useMailedCode({
    page: 'openid',
    requests,
    texts: { addressFault: text.signIn.addressFault, sent: text.code.sent },
    send: (address) => link.sendCode(address),
    verify: async (challenge, code) => onEnd(await link.verifyCode(challenge, code)),
    wrong: 422,
  });
  const usePasskey = (): Promise<void> => run('passkey', async () => onEnd(await link.verifyPasskey()));
  const refuse = (): Promise<void> => run('refuse', async () => onEnd(await link.refuse()));

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (form !== null) {
    return (
      <Screen key="code" title={text.code.title} lead={text.code.sent}>
        {failure}
        <CodeForm {...form} texts={text.code} />
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
          {byCode && <AddressEntry {...entry} label={text.signIn.address} />}
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
