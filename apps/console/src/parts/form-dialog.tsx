import { Button, Dialog, FieldFaults } from '@constancia/web';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useText } from '../text/language.ts';
import { Failure } from './failure.tsx';

interface FormDialogProps {
  title: string;
  lead?: ReactNode;
  submit: string;
  /** What is sent cannot be undone. */
  dangerous?: boolean;
  /** What a refusal means here, by the slug of its problem. */
  problems?: Readonly<Record<string, string>>;
  /** What is wrong with a field, by codes that only this form knows. */
  faults?: Readonly<Record<string, string>>;
  /** The key makes a repeated attempt the same request. The dialog closes when it resolves, unless with `open`. */
  onSubmit: (form: FormData, idempotencyKey: string) => Promise<'open' | void>;
  onClose: () => void;
  children?: ReactNode;
}

/** A form in a dialog. When it is refused it stays as it is, with what is wrong beside each field. */
export function FormDialog(props: FormDialogProps) {
  const { title, lead, submit, dangerous, problems, faults, onSubmit, onClose, children } = props;
  const { text, faultsOf } = useText();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());

  const refusal = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) refusal.current?.scrollIntoView({ block: 'center' });
  }, [error]);

  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      if ((await onSubmit(new FormData(event.currentTarget), idempotencyKey)) !== 'open') onClose();
    } catch (failure) {
      if (failure instanceof ApiError && failure.status < 500) setIdempotencyKey(crypto.randomUUID());
      setError(failure);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        {lead !== undefined && <p>{lead}</p>}
        <div ref={refusal}>{error !== null && <Failure error={error} problems={problems} />}</div>
        <FieldFaults value={faultsOf(error, faults)}>{children}</FieldFaults>
        <div className="actions">
          <Button look={dangerous === true ? 'danger' : 'primary'} submit busy={busy}>
            {submit}
          </Button>
          <Button onPress={onClose}>{text.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
