import { Button, Dialog } from '@constancia/web';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useKeepSession } from '../member/keep-session.ts';
import { useText } from '../text/language.ts';

interface Guarded {
  /** Something is not saved, or not finished. */
  unsaved: boolean;
  /** Whether it would be lost, read when somebody leaves; without it, `unsaved` says so. */
  isLosing?: () => boolean;
  /** Nothing is lost as long as the path of the address stays. */
  survivesSearch?: boolean;
  /** What is asked, where it is not about changes that were not saved. */
  words?: { title: string; lead: string; go: string } | undefined;
}

interface LeaveGuard {
  dialog: ReactNode;
  /** It is saved: the next leave passes. */
  letPass: () => void;
}

/** Asks before the page is left while something would be lost, and keeps the session as long as somebody works on it. */
export function useLeaveGuard({ unsaved, isLosing, survivesSearch, words }: Guarded): LeaveGuard {
  const { text } = useText();
  const passes = useRef(false);
  useKeepSession(unsaved);
  const isLost = (): boolean => !passes.current && (isLosing?.() ?? unsaved);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isLost() && !(survivesSearch === true && current.pathname === next.pathname),
    enableBeforeUnload: isLost,
    withResolver: true,
  });
  const { title, lead, go } = words ?? text.leave;
  return {
    // Beside the page: a part of it that is hidden would hide the question.
    dialog:
      blocker.status === 'blocked' &&
      createPortal(
        <Dialog title={title} onClose={blocker.reset}>
          <p>{lead}</p>
          <div className="actions">
            <Button look="primary" onPress={blocker.reset}>
              {text.leave.stay}
            </Button>
            <Button look="danger" onPress={blocker.proceed}>
              {go}
            </Button>
          </div>
        </Dialog>,
        document.body,
      ),
    letPass: () => {
      passes.current = true;
    },
  };
}
