import type { ReactNode } from 'react';

interface ButtonProps {
  /** By which useFocus finds it. */
  id?: string;
  children: ReactNode;
  onPress?: () => void;
  /** primary: the one thing to do on a screen. */
  look?: 'primary' | 'secondary' | 'quiet' | 'danger';
  submit?: boolean;
  busy?: boolean;
  /** Stays focusable, so that nobody loses their place while they wait. */
  waiting?: boolean;
  label?: string;
  /** The id of what is read after the name, such as why it waits. */
  describedBy?: string;
  /** Cannot be pressed yet, and is passed over by the keyboard. */
  disabled?: boolean;
}

export function Button(props: ButtonProps) {
  const { id, children, onPress, look = 'secondary', submit, busy, waiting, label, describedBy, disabled } = props;
  const idle = busy === true || waiting === true;
  return (
    <button
      id={id}
      type={submit === true ? 'submit' : 'button'}
      className={`button ${look}`}
      disabled={disabled}
      aria-disabled={idle || undefined}
      aria-busy={busy === true || undefined}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={(event) => {
        if (idle) event.preventDefault();
        else onPress?.();
      }}
    >
      {busy === true && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
