import { type PointerEvent, type RefObject, useRef } from 'react';

/** Moves what is scrolled in an element by dragging it with the mouse; a finger scrolls it by itself. */
export function useDrag(view: RefObject<HTMLElement | null>) {
  const last = useRef<{ x: number; y: number } | null>(null);
  const stop = (): void => {
    last.current = null;
  };
  return {
    onPointerDown: ({ pointerType, button, clientX: x, clientY: y, currentTarget, pointerId }: PointerEvent): void => {
      if (pointerType !== 'mouse' || button !== 0) return;
      currentTarget.setPointerCapture(pointerId);
      last.current = { x, y };
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent): void => {
      if (last.current === null) return;
      view.current?.scrollBy(last.current.x - x, last.current.y - y);
      last.current = { x, y };
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}
