import { Button, Dialog } from '@constancia/web';
import { useBlocker } from '@tanstack/react-router';
import { useFlowText } from './text/language.ts';

/** Asks before the page is left with steps that were not saved. */
export function LeaveDialog({ isChanged }: { isChanged: () => boolean }) {
  const { words } = useFlowText();
  const blocker = useBlocker({ shouldBlockFn: isChanged, enableBeforeUnload: isChanged, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title={words.leaveTitle} onClose={blocker.reset}>
      <p>{words.leave}</p>
      <div className="actions">
        <Button look="primary" onPress={blocker.reset}>
          {words.stay}
        </Button>
        <Button onPress={blocker.proceed}>{words.leaveNow}</Button>
      </div>
    </Dialog>
  );
}
