import type { KeepState } from '@constancia/contracts/wallet';
import { Button, CodeEntry, isCode, Notice, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { keepApi } from '../api/keep-api.ts';
import { useRequest } from '../session/use-request.ts';
import { useText } from '../text/language.ts';
import { keepFault } from './keep-fault.ts';

interface ConfirmAddressProps {
  /** Masked. */
  email: string;
  onAnswer: (state: KeepState) => void;
  onOther: () => void;
}

/** The code of the mail. */
export function ConfirmAddress({ email, onAnswer, onOther }: ConfirmAddressProps) {
  const { text } = useText();
  const focus = useFocus();
  const { busy, error, run } = useRequest();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const confirm = (event: SyntheticEvent): void => {
    event.preventDefault();
    setFault(isCode(code) ? null : text.keep.codeFault);
    if (!isCode(code)) return focus('keep-code');
    void run('confirm', async () => onAnswer(await keepApi.confirm(code)));
  };
  return (
    <form onSubmit={confirm} noValidate>
      {error !== null && <Notice tone="error">{text.keep.faults[keepFault(error)]}</Notice>}
      <p>{text.keep.sent(email)}</p>
      <CodeEntry id="keep-code" label={text.keep.code} fault={fault} code={code} onChange={setCode} />
      <div className="actions">
        <Button look="primary" submit busy={busy !== null}>
          {text.keep.confirm}
        </Button>
        <Button onPress={onOther}>{text.keep.other}</Button>
      </div>
    </form>
  );
}
