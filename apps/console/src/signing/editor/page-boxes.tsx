import type { PageSize } from '@constancia/web/pdf';
import { type PointerEvent, useState } from 'react';
import { type Box, boxBetween, type Placed } from './placed.ts';
import { type BoxActions, PlacedBox } from './placed-box.tsx';

interface PageBoxesProps {
  page: number;
  size: PageSize;
  /** Pixels of the screen. */
  width: number;
  fields: readonly Placed[];
  chosen: string | null;
  labelOf: (field: Placed) => string;
  toneOf: (field: Placed) => number;
  actions: BoxActions;
  /** A box that was drawn with the pointer on a free place. */
  onDrawn: (box: Box) => void;
}

interface Corner {
  x: number;
  y: number;
}

/** Points: a shorter way of the pointer is a press, not a box. */
const SHORTEST = 8;

/** The fields of one page, which can be dragged; on free places a pointer draws new ones. */
export function PageBoxes(props: PageBoxesProps) {
  const { page, size, width, fields, chosen, labelOf, toneOf, actions, onDrawn } = props;
  const scale = width / size.width;
  const [drawn, setDrawn] = useState<readonly [Corner, Corner] | null>(null);
  const cornerOf = (event: PointerEvent): Corner => {
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    return { x: (event.clientX - left) / scale, y: (bottom - event.clientY) / scale };
  };

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || event.pointerType === 'touch' || event.target !== event.currentTarget) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const corner = cornerOf(event);
    setDrawn([corner, corner]);
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (drawn !== null) setDrawn([drawn[0], cornerOf(event)]);
  };
  const onPointerUp = (): void => {
    if (drawn === null) return;
    setDrawn(null);
    const [from, to] = drawn;
    if (Math.abs(from.x - to.x) >= SHORTEST && Math.abs(from.y - to.y) >= SHORTEST)
      onDrawn(boxBetween(page, drawn, size, actions.limits));
  };

  return (
    <div className="boxes" onPointerCancel={() => setDrawn(null)} {...{ onPointerDown, onPointerMove, onPointerUp }}>
      {fields.map((field) => (
        <PlacedBox
          key={field.id}
          label={labelOf(field)}
          tone={toneOf(field)}
          chosen={chosen === field.id}
          {...{ field, size, scale, actions }}
        />
      ))}
      {drawn !== null && <Outline corners={drawn} size={size} scale={scale} />}
    </div>
  );
}

function Outline({
  corners: [from, to],
  size,
  scale,
}: {
  corners: readonly [Corner, Corner];
  size: PageSize;
  scale: number;
}) {
  return (
    <div
      className="outline"
      style={{
        left: Math.min(from.x, to.x) * scale,
        top: (size.height - Math.max(from.y, to.y)) * scale,
        width: Math.abs(from.x - to.x) * scale,
        height: Math.abs(from.y - to.y) * scale,
      }}
    />
  );
}
