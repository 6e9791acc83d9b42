import { Button, Entry, useFocus, useSecondsUntil } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';

const DIGITS = 6;
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
    setFault(code.length === DIGITS ? null : texts.fault);
    if (code.length !== DIGITS) return focus(id);
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
      <Entry id={id} label={texts.code} help={texts.help} fault={fault}>
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

/** What was typed or pasted, such as "123 456", as a code. */
const digits = (typed: string): string => typed.replace(/\D/g, '').slice(0, DIGITS);
