import { Button, CodeEntry, isCode, useFocus, useSecondsUntil } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';

/** A code is mailed once a minute. */
const AGAIN_MS = 60_000;

interface CodeFormTexts {
  code: string;
  help: string;
  fault: string;
  wrong: string;
  submit: string;
  again: string;
  againIn: (seconds: number) => string;
  other: string;
}

interface CodeFormProps {
  /** Of the input. */
  id: string;
  texts: CodeFormTexts;
  /** When the last code was asked for. */
  sentAt: number;
  busy: 'verify' | 'again' | null;
  /** Answers false for a wrong code. */
  onCode: (code: string) => Promise<boolean>;
  onAgain: () => void;
  onOther: () => void;
}

/** The six digits that were mailed, and another code after a minute. */
export function CodeForm({ id, texts, sentAt, busy, onCode, onAgain, onOther }: CodeFormProps) {
  const focus = useFocus();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const wait = useSecondsUntil(sentAt + AGAIN_MS);

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setFault(isCode(code) ? null : texts.fault);
    if (!isCode(code)) return focus(id);
    if (await onCode(code)) return;
    setCode('');
    setFault(texts.wrong);
    focus(id);
  };
  const again = (): void => {
    setCode('');
    setFault(null);
    onAgain();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <CodeEntry id={id} label={texts.code} help={texts.help} fault={fault} code={code} onChange={setCode} />
      <div className="actions">
        <Button look="primary" submit busy={busy === 'verify'}>
          {texts.submit}
        </Button>
        <Button busy={busy === 'again'} waiting={wait > 0} onPress={again}>
          {wait > 0 ? texts.againIn(wait) : texts.again}
        </Button>
        <Button look="quiet" onPress={onOther}>
          {texts.other}
        </Button>
      </div>
    </form>
  );
}
