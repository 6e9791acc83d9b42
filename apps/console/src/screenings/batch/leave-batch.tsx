import { Button, Dialog } from '@constancia/web';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useScreeningText } from '../text/language.ts';

/** What the reader was about to do when they were asked. */
interface Leaving {
  stay: () => void;
  go: () => void;
}

/** Asks before an unfinished batch is left for another page, or for another batch by `leaveFor`. */
export function useLeaving(unfinished: boolean): { leaving: Leaving | null; leaveFor: (go: () => void) => void } {
  const blocker = useBlocker({
    shouldBlockFn: () => unfinished,
    enableBeforeUnload: () => unfinished,
    withResolver: true,
  });
  const [asked, setAsked] = useState<Leaving | null>(null);
  return {
    leaving: blocker.status === 'blocked' ? { stay: blocker.reset, go: blocker.proceed } : asked,
    leaveFor: (go) => (unfinished ? setAsked({ go, stay: () => setAsked(null) }) : go()),
  };
}

export function LeaveDialog({ leaving: { stay, go } }: { leaving: Leaving }) {
  const { words } = useScreeningText();
  return (
    <Dialog title={words.batch.leaveTitle} onClose={stay}>
      <p>{words.batch.leave}</p>
      <div className="actions">
        <Button look="primary" onPress={stay}>
          {words.batch.stay}
        </Button>
        <Button onPress={go}>{words.batch.leaveNow}</Button>
      </div>
    </Dialog>
  );
}
