import type { PointGroup } from 'signature_pad';
import { expect, it } from 'vitest';
import { type Drawing, fitted, isDrawn, trimmed } from './drawing.ts';

const stroke = (...points: [number, number][]): PointGroup =>
  ({
    points: points.map(([x, y]) => ({ x, y, time: 0, pressure: 0.5 })),
    minWidth: 1,
    maxWidth: 2,
    dotSize: 0,
  }) as unknown as PointGroup;
const places = ({ strokes }: Drawing) => strokes.flatMap(({ points }) => points.map(({ x, y }) => [x, y]));

const drawing: Drawing = { strokes: [stroke([100, 50], [200, 100])], width: 300, height: 150 };

it('a turned telephone shows the same drawing, undistorted and in the middle', () => {
  const wide = fitted(drawing, 700, 150);
  expect(places(wide)).toEqual([
    [300, 50],
    [400, 100],
  ]);
  const twice = fitted(drawing, 600, 300);
  expect(places(twice)).toEqual([
    [200, 100],
    [400, 200],
  ]);
  expect(twice.strokes[0]).toMatchObject({ minWidth: 2, maxWidth: 4 });
});

it('what is sent is the drawing alone, with a margin', () => {
  const own = trimmed(drawing, 2, 8);
  expect(own).toMatchObject({ width: 216, height: 116 });
  expect(places(own)).toEqual([
    [8, 8],
    [208, 108],
  ]);
});

it('a touch by mistake is no signature', () => {
  expect(isDrawn({ ...drawing, strokes: [] })).toBe(false);
  expect(isDrawn({ ...drawing, strokes: [stroke([1, 1]), stroke([2, 2])] })).toBe(false);
  expect(isDrawn({ ...drawing, strokes: [stroke([1, 1], [2, 2], [3, 3]), stroke([4, 4], [5, 5])] })).toBe(true);
});
