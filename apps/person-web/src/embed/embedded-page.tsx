import { Frame, Screen } from '@constancia/web';
import { useEffect, useState } from 'react';
import { App } from '../app.tsx';
import { SessionProvider } from '../session/session.tsx';
import { useText } from '../text/language.ts';
import { HostContext } from './host-context.ts';
import type { Opening } from './open-frame.ts';
import { Progress } from './progress.tsx';

/** The capture page in a frame, once it has the session. @param opening begun before the page was drawn: it is possible once */
export function EmbeddedPage({ opening }: { opening: Promise<Opening> }) {
  const [opened, setOpened] = useState<Opening | null>(null);
  useEffect(() => void opening.then(setOpened), [opening]);
  if (opened?.kind !== 'open') return <NotOpen kind={opened?.kind ?? null} />;
  const { host, api } = opened;
  return (
    <HostContext value={host}>
      <SessionProvider api={api}>
        <Progress />
        <App />
      </SessionProvider>
    </HostContext>
  );
}

function NotOpen({ kind }: { kind: Exclude<Opening['kind'], 'open'> | null }) {
  const { text } = useText();
  if (kind === null)
    return (
      <p className="loading" role="status">
        {text.loading}
      </p>
    );
  const { title, lead } =
    kind === 'unavailable' ? text.unreachable : kind === 'unknown' ? text.unknown : text.embed[kind];
  return (
    <Frame>
      <Screen sign="stop" title={title} lead={lead} />
    </Frame>
  );
}
