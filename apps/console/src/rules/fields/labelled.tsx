import { Entry } from '@constancia/web';
import { type ReactNode, useId } from 'react';

interface Wiring {
  id: string;
  'aria-label'?: string;
}

interface LabelledProps {
  label: string;
  /** Without a visible label: the column of a table says it. */
  bare?: boolean;
  hint?: string;
  fault?: string;
  id?: string;
  children: (wiring: Wiring) => ReactNode;
}

/** A control with its label above, or named for those who do not see the column. */
export function Labelled({ label, bare = false, hint, fault, id, children }: LabelledProps) {
  const own = useId();
  if (bare) {
    return (
      <>
        {children({ id: id ?? own, 'aria-label': label })}
        {fault !== undefined && <p className="fault">{fault}</p>}
      </>
    );
  }
  return (
    <Entry id={id ?? own} label={label} help={hint} required={false} fault={fault}>
      {children}
    </Entry>
  );
}
