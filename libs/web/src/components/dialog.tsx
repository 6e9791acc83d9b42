import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { focusHeading } from './focus.ts';

interface DialogProps {
  title: string;
  /** The reader left it: the page takes it away. */
  onClose: () => void;
  children: ReactNode;
}

/** Something to decide or to fill in before anything else. The focus stays inside, and goes back to where it was, or to the heading of the page. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Its end runs while the dialog is still in the document: only then closing it gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      focusHeading(); // what opened it may be gone by now
    };
  }, []);
  const onCancel = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={heading} onCancel={onCancel}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
