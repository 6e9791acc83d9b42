import type { ReactNode } from 'react';

/** A state, shown by its word as well as by its colour. */
export const State = ({ kind, children }: { kind: 'good' | 'bad' | 'wait'; children: ReactNode }) => (
  <span className={`state ${kind}`}>{children}</span>
);
