import type { ReactNode } from 'react';

/** Something the reader must know before going on. trouble and warning are read aloud at once. */
export function Notice({ tone, children }: { tone: 'trouble' | 'warning' | 'news' | 'good'; children: ReactNode }) {
  const urgent = tone === 'trouble' || tone === 'warning';
  return (
    <div className={`notice ${tone}`} role={urgent ? 'alert' : undefined}>
      {children}
    </div>
  );
}
