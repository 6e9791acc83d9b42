import type { ReactNode } from 'react';

/** Something the reader must know before going on. error and warning are read aloud at once. */
export function Notice({ tone, children }: { tone: 'error' | 'warning' | 'news' | 'good'; children: ReactNode }) {
  const urgent = tone === 'error' || tone === 'warning';
  return (
    <div className={`notice ${tone}`} role={urgent ? 'alert' : undefined}>
      {children}
    </div>
  );
}
