import { useEffect, useRef } from 'react';

/** Gives the focus to the heading of the page when a change of `controls` took away the one that had it. */
export function useFocusKept(controls: string): void {
  const former = useRef(controls);
  useEffect(() => {
    if (former.current === controls) return;
    former.current = controls;
    if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true });
  }, [controls]);
}
