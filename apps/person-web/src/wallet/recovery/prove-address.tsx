import { Button, Notice, Screen, useAnnounce, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { Refused } from '../../api/capture-api.ts';
import { type ProvenRecovery, startRecovery, verifyRecovery } from '../../api/recovery-api.ts';
import { AddressEntry, isAddress } from '../../mailed-code/address-entry.tsx';
import { CodeForm } from '../../mailed-code/code-form.tsx';
import { useRequest } from '../../session/use-request.ts';
import { useText } from '../text/language.ts';

interface ProveAddressProps {
  onProven: (recovery: ProvenRecovery) => void;
  /** Whether a failure ended the recovery. */
  isEnd: (failure: unknown) => boolean;
  onBack: () => void;
}

/** The address of the wallet, and the code that is mailed to it. What is said is the same whether or not the address opens a wallet. */
export function ProveAddress({ onProven, isEnd, onBack }: ProveAddressProps) {
  const { text, sentenceOf } = useText();
  const focus = useFocus();
  const announce = useAnnounce();
  const { busy, error, run } = useRequest(() => undefined, isEnd);
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ recovery: string; at: number } | null>(null);
  const [fault, setFault] = useState<string | null>(null);

  const ask = (name: 'send' | 'again'): Promise<void> =>
    run(name, async () => {
      setFault(null);
      setSent({ recovery: await startRecovery(email.trim()), at: Date.now() });
      announce(text.recovery.sent);
      focus('recovery-code');
    });
  const submitAddress = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isAddress(email)) return void ask('send');
    setFault(text.signIn.addressFault);
    focus('recovery-email');
  };
  const verify = async (recovery: string, code: string): Promise<boolean> => {
    let wrong = false;
    await run('verify', async () => {
      try {
        onProven(await verifyRecovery(recovery, code));
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== 422) throw failure;
        wrong = true;
      }
    });
    return !wrong;
  };

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (sent === null)
    return (
      <Screen key="address" title={text.recovery.title} lead={text.recovery.lead}>
        {failure}
        <ol>
          {text.recovery.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <form onSubmit={submitAddress} noValidate>
          <AddressEntry
            id="recovery-email"
            label={text.signIn.address}
            fault={fault}
            address={email}
            onChange={setEmail}
          />
          <div className="actions">
            <Button look="primary" submit busy={busy === 'send'}>
              {text.signIn.send}
            </Button>
            <Button look="quiet" onPress={onBack}>
              {text.recovery.back}
            </Button>
          </div>
        </form>
      </Screen>
    );
  const { code, codeHelp: help, codeFault, wrong, again, againIn, other } = text.signIn;
  return (
    <Screen key="code" title={text.signIn.codeTitle} lead={text.recovery.sent}>
      {failure}
      <CodeForm
        id="recovery-code"
        texts={{ code, help, fault: codeFault, wrong, submit: text.recovery.title, again, againIn, other }}
        sentAt={sent.at}
        busy={busy === 'verify' || busy === 'again' ? busy : null}
        onCode={(typed) => verify(sent.recovery, typed)}
        onAgain={() => void ask('again')}
        onOther={() => setSent(null)}
      />
    </Screen>
  );
}
