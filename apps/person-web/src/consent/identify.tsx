import type { ConsentState } from '@constancia/contracts/consent';
import { Button, Notice, Screen } from '@constancia/web';
import type { ConsentLink, ReadState } from '../api/consent-api.ts';
import { AddressEntry } from '../mailed-code/address-entry.tsx';
import { CodeForm } from '../mailed-code/code-form.tsx';
import { useMailedCode } from '../mailed-code/use-mailed-code.ts';
import { BackToCapture } from './end.tsx';
import { RefuseButtons, type Refusing } from './refuse-buttons.tsx';
import { RequestFacts } from './request-facts.tsx';
import { useText } from './text/language.ts';
import { useLinkRequest } from '../session/use-link-request.ts';

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
  const requests = useLinkRequest(onGone);
  const { busy, error, run } = requests;
  const asksAddress = state.challenge?.address === 'asked';
  const methods = state.challenge?.methods ?? [];
  const { entry, submit, form } = useMailedCode({
    page: 'consent',
    requests,
    texts: { addressFault: text.identify.addressFault, sent: text.code.sent },
    asksAddress,
    send: (address) => link.sendCode(asksAddress ? address : undefined),
    verify: async (_sent, code) => onProved(await link.verifyCode(code)),
    wrong: 422,
  });
  const usePasskey = (): Promise<void> => run('passkey', async () => onProved(await link.verifyPasskey()));

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (form !== null) {
    return (
      <Screen key="code" title={text.code.title} lead={text.code.sent}>
        {failure}
        <CodeForm {...form} texts={text.code} />
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
          {asksAddress && <AddressEntry {...entry} label={text.identify.address} />}
          <div className="actions">
            <Button look="primary" submit busy={busy === 'send'}>
              {text.identify.send}
            </Button>
            {methods.includes('passkey') && (
              <Button busy={busy === 'passkey'} onPress={() => void usePasskey()}>
                {text.identify.passkey}
              </Button>
            )}
            <BackToCapture />
            <RefuseButtons onRefuse={onRefuse} />
          </div>
        </form>
      </section>
    </Screen>
  );
}
