import { type ReactNode, useEffect, useState } from 'react';
import { Frame } from '../components/frame.tsx';
import { Screen } from '../components/screen.tsx';
import { HostContext } from './host-context.ts';
import type { OpenFrame, Opening, Refused } from './open-frame.ts';

interface ScreenText {
  title: string;
  lead: string;
}

interface OpeningPageProps {
  /** Begun before the page was drawn: it is possible once. */
  opening: Promise<Opening>;
  /** Shown until it has ended. */
  loading: ReactNode;
  /** Why the frame has no session. */
  texts: Record<Refused, ScreenText>;
  children: (frame: OpenFrame) => ReactNode;
}

/** A page in a frame, once that has the embed session. */
export function OpeningPage({ opening, loading, texts, children }: OpeningPageProps) {
  const [opened, setOpened] = useState<Opening | null>(null);
  useEffect(() => void opening.then(setOpened), [opening]);
  if (opened === null) return loading;
  if (opened.kind === 'open') return <HostContext value={opened.host}>{children(opened)}</HostContext>;
  const { title, lead } = texts[opened.kind];
  return (
    <Frame>
      <Screen sign="stop" title={title} lead={lead} />
    </Frame>
  );
}
