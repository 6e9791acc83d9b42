import { Button } from '@constancia/web';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { useText } from '../text/language.ts';
import { Field, type FieldProps, type Values, valuesOf } from './fields.tsx';

export interface Question {
  title: string;
  text: string;
  /** Before the reason, which is always asked for. */
  fields?: readonly FieldProps[];
}

/** Asks for a reason, and what else an operation needs. Leaving it answers null. */
export function AskDialog({ question, onAnswer }: { question: Question; onAnswer: (values: Values | null) => void }) {
  const { text } = useText();
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onAnswer(valuesOf(event.currentTarget));
  };
  return (
    <dialog ref={dialog} aria-labelledby={heading} onCancel={() => onAnswer(null)}>
      <form onSubmit={onSubmit}>
        <h2 id={heading}>{question.title}</h2>
        <p>{question.text}</p>
        {(question.fields ?? []).map((field) => (
          <Field key={field.name} {...field} />
        ))}
        <Field name="reason" label={text.reason} hint={text.reasonHint} required />
        <div className="actions">
          <Button look="primary" submit>
            {question.title}
          </Button>
          <Button onPress={() => onAnswer(null)}>{text.cancel}</Button>
        </div>
      </form>
    </dialog>
  );
}
