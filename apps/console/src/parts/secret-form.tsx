import { useState } from 'react';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

interface SecretFormProps extends Omit<FormDialogProps, 'onSubmit'> {
  secretTitle: string;
  /** Answers the secret; null where there is none, and the dialog closes. */
  onSubmit: (form: FormData, idempotencyKey: string) => Promise<string | null>;
}

/** A form whose answer is a secret: it is shown once, in place of the form. */
export function SecretForm({ secretTitle, onSubmit, onClose, ...form }: SecretFormProps) {
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretDialog title={secretTitle} secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      {...form}
      onClose={onClose}
      onSubmit={async (values, idempotencyKey) => {
        const answer = await onSubmit(values, idempotencyKey);
        setSecret(answer);
        return answer === null ? undefined : 'open';
      }}
    />
  );
}
