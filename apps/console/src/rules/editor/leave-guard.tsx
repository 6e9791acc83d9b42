import { Button, Dialog } from '@constancia/web';
import { useBlocker } from '@tanstack/react-router';
import { useRuleText } from '../text/language.ts';

/** Asks before somebody leaves the page with what they did not save. `isLosing`: read when they leave. */
export function LeaveGuard({ isLosing }: { isLosing: () => boolean }) {
  const { words } = useRuleText();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isLosing(),
    enableBeforeUnload: isLosing,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title={words.editor.leave} onClose={blocker.reset}>
      <p>{words.editor.leaveLead}</p>
      <div className="actions">
        <Button look="primary" onPress={blocker.reset}>
          {words.editor.stay}
        </Button>
        <Button look="danger" onPress={blocker.proceed}>
          {words.editor.leaveAnyway}
        </Button>
      </div>
    </Dialog>
  );
}
