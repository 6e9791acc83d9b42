import type { ReactNode } from 'react';
import { useLanguageOf } from '../language.tsx';

/** What an input needs to be identified, explained and corrected by someone who does not see the page. */
export interface EntryWiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

interface EntryProps {
  id: string;
  label: string;
  required?: boolean;
  /** Whether to say in words that it is required or optional. */
  marked?: boolean;
  help?: ReactNode;
  fault?: string | null;
  /** Beside the label, such as a way to see the place on the document. */
  aside?: ReactNode;
  children: (wiring: EntryWiring) => ReactNode;
}

/** A labelled input with its help above and its fault below. */
export function Entry({ id, label, required = true, marked = false, help, fault, aside, children }: EntryProps) {
  const { text } = useLanguageOf();
  return (
    <div className={fault ? 'entry at-fault' : 'entry'}>
      <div className="entry-head">
        <label htmlFor={id}>
          {label}
          {marked && <span className="mark"> ({required ? text.page.required : text.page.optional})</span>}
        </label>
        {aside}
      </div>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {children(wiring(id, required, Boolean(help), Boolean(fault)))}
      <Fault id={id}>{fault}</Fault>
    </div>
  );
}

interface TickProps {
  id: string;
  label: ReactNode;
  ticked: boolean;
  onTick: (ticked: boolean) => void;
  required?: boolean;
  fault?: string | null;
  aside?: ReactNode;
}

/** A checkbox whose whole line can be pressed. */
export function Tick({ id, label, ticked, onTick, required = true, fault, aside }: TickProps) {
  return (
    <div className={fault ? 'entry at-fault' : 'entry'}>
      <div className="tick">
        <input
          type="checkbox"
          {...wiring(id, required, false, Boolean(fault))}
          checked={ticked}
          onChange={(event) => onTick(event.target.checked)}
        />
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <Fault id={id}>{fault}</Fault>
    </div>
  );
}

function wiring(id: string, required: boolean, helped: boolean, faulty: boolean): EntryWiring {
  const described = [faulty && `${id}-fault`, helped && `${id}-help`].filter(Boolean).join(' ');
  return {
    id,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': faulty || undefined,
    'aria-required': required || undefined,
  };
}

function Fault({ id, children }: { id: string; children: ReactNode }) {
  return children ? (
    <p className="fault" id={`${id}-fault`}>
      {children}
    </p>
  ) : null;
}
