import { useAnnounce } from '@constancia/web';
import type { PageSize } from '@constancia/web/pdf';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useSigningText } from '../text/language.ts';
import { type Limits, MILLIMETRE, movedBy, type Placed, resizedBy } from './placed.ts';

export interface BoxActions {
  limits: Limits;
  pages: number;
  onChoose: (id: string) => void;
  onBox: (id: string, box: Pick<Placed, 'page' | 'x' | 'y' | 'width' | 'height'>) => void;
  onRemove: (id: string) => void;
}

interface PlacedBoxProps {
  field: Placed;
  label: string;
  /** Fields of the same signer have the same colour. */
  tone: number;
  size: PageSize;
  /** Pixels of the screen for a point. */
  scale: number;
  chosen: boolean;
  actions: BoxActions;
}

const ARROWS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const FAR = 10;

/** The id of a field's box, by which it gets the focus. */
export const boxId = (id: string): string => `box-${id}`;

/** A field on its page: it is dragged, and drawn larger at its corner; by keyboard, arrows do both. */
export function PlacedBox({ field, label, tone, size, scale, chosen, actions }: PlacedBoxProps) {
  const { words } = useSigningText();
  const announce = useAnnounce();
  const [resizing, setResizing] = useState(false);
  const held = useRef<{ x: number; y: number; box: Placed; resizes: boolean } | null>(null);
  const { limits, pages, onChoose, onBox, onRemove } = actions;

  const setMode = (next: boolean): void => {
    if (next !== resizing) announce(next ? words.editor.resizing : words.editor.moving);
    setResizing(next);
  };
  const turnTo = (page: number): void => {
    if (page < 1 || page > pages) return;
    onBox(field.id, { ...field, page });
    announce(words.editor.onPage(page));
  };
  const push = (arrow: readonly [number, number], far: boolean): void => {
    const [right, up] = arrow.map((part) => part * MILLIMETRE * (far ? FAR : 1)) as [number, number];
    const next = resizing ? resizedBy(field, right, -up, size, limits) : movedBy(field, right, up, size);
    onBox(field.id, next);
    announce(resizing ? words.editor.measures(next.width, next.height) : words.editor.at(next.x, next.y));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) push(arrow, event.shiftKey);
    else if (event.key === 'Enter') setMode(!resizing);
    else if (event.key === 'Escape') setMode(false);
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(field.id);
    else if (event.key === 'PageDown') turnTo(field.page + 1);
    else if (event.key === 'PageUp') turnTo(field.page - 1);
    else return;
    event.preventDefault();
  };

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const resizes = event.target instanceof Element && event.target.classList.contains('corner');
    held.current = { x: event.clientX, y: event.clientY, box: field, resizes };
    onChoose(field.id);
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (held.current === null) return;
    const { x, y, box, resizes } = held.current;
    const [right, down] = [(event.clientX - x) / scale, (event.clientY - y) / scale];
    onBox(field.id, resizes ? resizedBy(box, right, down, size, limits) : movedBy(box, right, -down, size));
  };
  const release = (): void => {
    held.current = null;
  };

  return (
    <button
      type="button"
      id={boxId(field.id)}
      className={['placed', `tone-${tone}`, chosen && 'chosen', resizing && 'resizing'].filter(Boolean).join(' ')}
      aria-label={words.editor.boxLabel(label, field.page, field.x, field.y)}
      aria-describedby="editor-keys"
      onFocus={() => onChoose(field.id)}
      onBlur={() => setResizing(false)}
      onPointerUp={release}
      onPointerCancel={release}
      {...{ onKeyDown, onPointerDown, onPointerMove }}
      style={{
        left: field.x * scale,
        top: (size.height - field.y - field.height) * scale,
        width: field.width * scale,
        height: field.height * scale,
      }}
    >
      <span className="name">{label}</span>
      <span className="corner" />
    </button>
  );
}
