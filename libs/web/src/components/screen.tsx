import type { ReactNode } from 'react';
import { Title } from './title.tsx';

interface ScreenProps {
  title: string;
  lead?: ReactNode;
  /** A sign before the title, for the eye only. */
  sign?: 'done' | 'wait' | 'stop';
  children?: ReactNode;
}

const SIGNS = { done: 'M5 12.5l4.5 4.5L19 7.5', wait: 'M12 6.5V12l3.5 2.5', stop: 'M12 7v6.5M12 16.800v.4' };

/** One thing to read or do, on a sheet in the middle. */
export function Screen({ title, lead, sign, children }: ScreenProps) {
  return (
    <article className="sheet">
      {sign !== undefined && (
        <svg className={`sign ${sign}`} viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="11" />
          <path d={SIGNS[sign]} />
        </svg>
      )}
      <Title>{title}</Title>
      {lead !== undefined && <p className="lead">{lead}</p>}
      {children}
    </article>
  );
}
