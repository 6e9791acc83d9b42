import { Button, Dialog, Notice, useAnnounce } from '@constancia/web';
import type { ReactNode } from 'react';
import { useText } from '../text/language.ts';

interface SecretDialogProps {
  title: string;
  secret: string;
  onClose: () => void;
  /** Other ways to it, such as a QR code. */
  children?: ReactNode;
}

/** A secret, this once. It is in the memory of the page until the dialog is left. */
export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps) {
  const { text } = useText();
  const announce = useAnnounce();
  const copy = (): void =>
    void navigator.clipboard.writeText(secret).then(
      () => announce(text.secret.copied),
      () => announce(text.secret.notCopied),
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice tone="warning">{text.secret.once}</Notice>
      <p>
        <code className="secret">{secret}</code>
      </p>
      {children}
      <div className="actions">
        <Button look="primary" onPress={copy}>
          {text.secret.copy}
        </Button>
        <Button onPress={onClose}>{text.secret.stored}</Button>
      </div>
    </Dialog>
  );
}
