import { Button, Dialog, Field, type FieldProps, type Values, valuesOf } from '@constancia/web';
import type { FormEvent } from 'react';
import { useText } from '../text/language.ts';

export interface Question {
  title: string;
  text: string;
  /** Before the reason, which is always asked for. */
  fields?: readonly FieldProps[];
}

/** Asks for a reason, and what else an operation needs. Leaving it answers null. */
export function AskDialog({ question, onAnswer }: { question: Question; onAnswer: (values: Values | null) => void }) {
  const { text } = useText();
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onAnswer(valuesOf(event.currentTarget));
  };
  return (
    <Dialog title={question.title} onClose={() => onAnswer(null)}>
      <form onSubmit={onSubmit}>
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
    </Dialog>
  );
}
