import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignFace, applied, fitSimilarity } from './align.ts';
import type { Similarity } from './image/rgb-image.ts';
import type { Point } from './nets/landmark-net.ts';

const similarity = fc
  .record({
    scale: fc.double({ min: 0.1, max: 10, noNaN: true }),
    turn: fc.double({ min: -3, max: 3, noNaN: true }),
    tx: fc.double({ min: -500, max: 500, noNaN: true }),
    ty: fc.double({ min: -500, max: 500, noNaN: true }),
  })
  .map(({ scale, turn, tx, ty }): Similarity => ({ a: scale * Math.cos(turn), b: scale * Math.sin(turn), tx, ty }));

const TRIANGLE = [
  { x: 0, y: 0 },
  { x: 40, y: 3 },
  { x: 20, y: 35 },
];

/** A face whose five points lie as in the mean face, in a chip of 150 px. */
function meanFace(): Point[] {
  const unit: Record<number, [number, number]> = {
    36: [0.1206, 0.2137],
    39: [0.3341, 0.2291],
    42: [0.6461, 0.229],
    45: [0.8596, 0.2135],
    33: [0.4901, 0.6278],
  };
  return Array.from({ length: 68 }, (_, index) => {
    const [x, y] = unit[index] ?? [0.5, 0.5];
    return { x: ((x + 0.25) / 1.5) * 150, y: ((y + 0.25) / 1.5) * 150 };
  });
}

describe('the similarity between two sets of points', () => {
  it('is found again from points that it moved', () => {
    fc.assert(
      fc.property(similarity, (moved) => {
        const found = fitSimilarity(
          TRIANGLE,
          TRIANGLE.map((point) => applied(moved, point)),
        );
        expect(found.a).toBeCloseTo(moved.a, 6);
        expect(found.b).toBeCloseTo(moved.b, 6);
        expect(found.tx).toBeCloseTo(moved.tx, 5);
        expect(found.ty).toBeCloseTo(moved.ty, 5);
      }),
    );
  });

  it('is a mere shift when all points are one', () => {
    const point = { x: 3, y: 4 };
    expect(fitSimilarity([point, point], [point, point])).toEqual({ a: 1, b: 0, tx: 0, ty: 0 });
  });
});

describe('the alignment of a face', () => {
  it('leads every mean face, however turned, scaled and shifted, to the same place without a rest', () => {
    fc.assert(
      fc.property(similarity, (moved) => {
        const landmarks = meanFace().map((point) => applied(moved, point));
        const { toPicture, residual } = alignFace(landmarks);
        expect(residual).toBeLessThan(0.001);
        const wanted = applied(moved, { x: 75, y: 75 });
        const got = applied(toPicture, { x: 75, y: 75 });
        expect(Math.hypot(wanted.x - got.x, wanted.y - got.y)).toBeLessThan(0.02 * Math.hypot(moved.a, moved.b));
      }),
    );
  });

  it('leaves a rest when the points are no face', () => {
    const heap = meanFace().map((point, index) => (index === 33 ? { x: point.x, y: 10 } : point));
    expect(alignFace(heap).residual).toBeGreaterThan(0.16);
  });
});
