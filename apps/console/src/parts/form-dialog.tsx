import { Button, Dialog, FieldFaults, useRefusalShown } from '@constancia/web';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { useText } from '../text/language.ts';
import { Failure } from './failure.tsx';
import { isFinal } from '../api/is-final.ts';
import { useAction } from './use-action.ts';

export interface FormDialogProps {
  title: string;
  lead?: ReactNode;
  submit: string;
  /** false: what is decided on is not shown yet. */
  ready?: boolean;
  /** What is sent cannot be undone. */
  dangerous?: boolean;
  /** What a refusal means here, by the slug of its problem. */
  problems?: Readonly<Record<string, string>>;
  /** What is wrong with a field, by codes that only this form knows. */
  faults?: Readonly<Record<string, string>>;
  /** For readers who write programs (Failure). */
  technical?: boolean;
  /** The key makes a repeated attempt the same request. The dialog closes when it resolves, unless with `open`. */
  onSubmit: (form: FormData, idempotencyKey: string) => Promise<'open' | void>;
  onClose: () => void;
  children?: ReactNode;
}

/** Two files are different ones, although JSON shows them alike. */
const shownFile = (_: string, value: unknown): unknown =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

/** A form in a dialog. A refused form keeps its values and shows the error of each field. */
export function FormDialog(props: FormDialogProps) {
  const { title, lead, submit, ready, dangerous, problems, faults, technical, onSubmit, onClose, children } = props;
  const { text, faultsOf } = useText();
  const action = useAction();
  const { error, run } = action;
  const busy = action.busy !== null;
  const sent = useRef({ form: '', key: '' });

  const form = useRefusalShown<HTMLFormElement>(error);

  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const content = JSON.stringify([...form], shownFile);
    void run('send', async () => {
      if (sent.current.form !== content) sent.current = { form: content, key: crypto.randomUUID() };
      try {
        if ((await onSubmit(form, sent.current.key)) !== 'open') onClose();
      } catch (failure) {
        if (isFinal(failure)) sent.current = { form: '', key: '' };
        throw failure;
      }
    });
  };

  return (
    <Dialog title={title} onClose={() => !busy && onClose()}>
      <form ref={form} onSubmit={send}>
        {lead !== undefined && <p>{lead}</p>}
        {error !== null && <Failure error={error} problems={problems} technical={technical} />}
        <FieldFaults value={faultsOf(error, faults)}>{children}</FieldFaults>
        <div className="actions">
          <Button look={dangerous === true ? 'danger' : 'primary'} submit busy={busy} disabled={ready === false}>
            {submit}
          </Button>
          <Button waiting={busy} onPress={onClose}>
            {text.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
