import { Button, Notice, Screen } from '@constancia/web';
import { type ProvenRecovery, startRecovery, verifyRecovery } from '../../api/recovery-api.ts';
import { AddressEntry } from '../../mailed-code/address-entry.tsx';
import { CodeForm } from '../../mailed-code/code-form.tsx';
import { useMailedCode } from '../../mailed-code/use-mailed-code.ts';
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
  const requests = useRequest(() => undefined, isEnd);
  const { busy, error } = requests;
  const { entry, submit, form } = useMailedCode({
    page: 'recovery',
    requests,
    texts: { addressFault: text.signIn.addressFault, sent: text.recovery.sent },
    send: startRecovery,
    verify: async (recovery, code) => onProven(await verifyRecovery(recovery, code)),
    wrong: 422,
  });

  const failure = error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>;
  if (form === null)
    return (
      <Screen key="address" title={text.recovery.title} lead={text.recovery.lead}>
        {failure}
        <ol>
          {text.recovery.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <form onSubmit={submit} noValidate>
          <AddressEntry {...entry} label={text.signIn.address} />
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
        {...form}
        texts={{ code, help, fault: codeFault, wrong, submit: text.recovery.title, again, againIn, other }}
      />
    </Screen>
  );
}
