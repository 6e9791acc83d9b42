import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/**
 * A function that moves the focus to the input with this id, after React has drawn what was changed together with the call:
 * the input may not be on the page before, and a slow telephone may need more than a frame until it is.
 */
export function useFocus(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (wanted !== null) document.getElementById(wanted.id)?.focus();
  }, [wanted]);
  return useCallback((id: string) => setWanted({ id }), []);
}

/**
 * A ref for a form or a part of one. After each refusal (null: there is none) its first invalid field gets the focus, and what is wrong
 * with it is read aloud with it; where no field is at fault, the notice that says what is wrong comes into view.
 */
export function useRefusalShown<Part extends HTMLElement>(refusal: unknown): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useEffect(() => {
    if (refusal !== null && part.current !== null) showRefusal(part.current);
  }, [refusal]);
  return part;
}

/** A field in closed details cannot have the focus: they are opened. */
export function showRefusal(part: ParentNode): void {
  const field = part.querySelector<HTMLElement>('[aria-invalid="true"]');
  field?.closest('details')?.setAttribute('open', '');
  field?.focus({ preventScroll: true });
  const shown = field ?? part.querySelector('[role="alert"]');
  shown?.scrollIntoView({ block: 'center' });
}

/** Gives the focus to the heading of the page when a change of `controls`, such as the rows of a list, took away what had it. */
export function useFocusKept(controls: unknown): void {
  const former = useRef(controls);
  const focused = document.activeElement; // while this is rendered, what will go is still there
  useEffect(() => {
    if (former.current === controls) return;
    former.current = controls;
    if (focused?.isConnected === false) focusHeading();
  }, [controls, focused]);
}

/** Where nothing has the focus, the heading of the page gets it: what is read aloud goes on from there. */
export function focusHeading(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}
