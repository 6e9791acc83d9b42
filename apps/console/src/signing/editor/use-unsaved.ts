import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { useSigningText } from '../text/language.ts';

/** Asks before the page is left while something is not saved. The function that it answers lets the next leave pass. */
export function useUnsaved(unsaved: boolean): () => void {
  const { words } = useSigningText();
  const saved = useRef(false);
  useBlocker({
    enableBeforeUnload: () => unsaved && !saved.current,
    shouldBlockFn: () => unsaved && !saved.current && !window.confirm(words.editor.leave),
  });
  return () => {
    saved.current = true;
  };
}
