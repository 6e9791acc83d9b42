import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { useKeepSession } from '../../member/keep-session.ts';
import { useSigningText } from '../text/language.ts';

/**
 * Asks before the page is left while something is not saved, or something else is not finished, and keeps the session as long as somebody
 * works on it. The function that it answers lets the next leave pass.
 */
export function useUnsaved(unsaved: boolean, question?: string): () => void {
  const { words } = useSigningText();
  const saved = useRef(false);
  useKeepSession(unsaved);
  useBlocker({
    enableBeforeUnload: () => unsaved && !saved.current,
    shouldBlockFn: () => unsaved && !saved.current && !window.confirm(question ?? words.editor.leave),
  });
  return () => {
    saved.current = true;
  };
}
