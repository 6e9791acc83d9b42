import { Frame } from '../components/frame.tsx';
import { Screen } from '../components/screen.tsx';
import type { Refused } from './open-frame.ts';

interface ScreenText {
  title: string;
  lead: string;
}

/** A frame that has no session, and why. */
export function NotOpen({ kind, texts }: { kind: Refused; texts: Record<Refused, ScreenText> }) {
  const { title, lead } = texts[kind];
  return (
    <Frame>
      <Screen sign="stop" title={title} lead={lead} />
    </Frame>
  );
}
