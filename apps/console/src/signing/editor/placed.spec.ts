import { describe, expect, it } from 'vitest';
import { boxBetween, boxFaults, freeKey, freePlace, leavesPage, movedBy, resizedBy } from './placed.ts';

const PAGE = { width: 600, height: 800 };
const LIMITS = { width: [6, 14_400], height: [6, 144] } as const;
const field = { id: '1', key: 'firma', page: 1, x: 100, y: 100, width: 180, height: 48 };

describe('a field on a page', () => {
  it('moves, and stays on its page', () => {
    expect(movedBy(field, 2.83465, -2.83465, PAGE)).toMatchObject({ x: 102.83, y: 97.17 });
    expect(movedBy(field, -500, 5_000, PAGE)).toMatchObject({ x: 0, y: 752 });
  });

  it('grows to the right and downwards, within its limits and the page', () => {
    expect(resizedBy(field, 10, 10, PAGE, LIMITS)).toMatchObject({ x: 100, y: 90, width: 190, height: 58 });
    expect(resizedBy(field, 9_000, 9_000, PAGE, LIMITS)).toMatchObject({ width: 500, height: 144, y: 4 });
    expect(resizedBy(field, -9_000, -9_000, PAGE, LIMITS)).toMatchObject({ width: 6, height: 6, y: 142 });
  });

  it('is drawn from any corner to the opposite one', () => {
    const drawn = { page: 2, x: 50, y: 60, width: 100, height: 30 };
    expect(
      boxBetween(
        2,
        [
          { x: 150, y: 90 },
          { x: 50, y: 60 },
        ],
        PAGE,
        LIMITS,
      ),
    ).toEqual(drawn);
    expect(
      boxBetween(
        2,
        [
          { x: 599, y: 799 },
          { x: 600, y: 800 },
        ],
        PAGE,
        LIMITS,
      ),
    ).toMatchObject({ x: 594, y: 794 });
  });

  it.each([
    [{ key: 'a b' }, { key: 'key' }],
    [{ key: 'otra' }, { key: 'taken' }],
    [{ page: 3 }, { page: 'page' }],
    [{ page: 1.5 }, { page: 'page' }],
    [
      { x: NaN, y: 20_000 },
      { x: 'number', y: 'far' },
    ],
    [
      { width: 5, height: 145 },
      { width: 'size', height: 'size' },
    ],
    [{}, {}],
  ])('%o is answered with %o', (changed, faults) => {
    const others = [field, { ...field, id: '2', key: 'otra' }];
    expect(boxFaults({ ...field, ...changed }, others, 2, LIMITS)).toEqual(faults);
  });

  it('that leaves its page is known, and a new key is free', () => {
    expect([leavesPage(field, PAGE), leavesPage({ ...field, x: 421 }, PAGE)]).toEqual([false, true]);
    expect([freeKey('firma', [field]), freeKey('fecha', [field])]).toEqual(['firma_2', 'fecha']);
  });
});

describe('a field that is added', () => {
  const signature = { width: 180, height: 48 };
  const on = (place: { x: number; y: number }, size = signature) => ({ page: 1, ...place, ...size });

  it('covers none of those that were added before, however high they are', () => {
    const placed = [on(freePlace(signature, PAGE, []))];
    for (let nth = 0; nth < 9; nth++) placed.push(on(freePlace(signature, PAGE, placed)));
    expect(placed[0]).toMatchObject({ x: 200, y: 400 });
    const sorted = placed.toSorted((one, other) => one.y - other.y);
    for (const [nth, { y, height }] of sorted.entries())
      if (nth < 9) expect(y + height).toBeLessThanOrEqual(sorted[nth + 1]!.y);
  });

  it('is in the middle of a page that has no room', () => {
    expect(freePlace(signature, PAGE, [on({ x: 0, y: 0 }, { width: 600, height: 800 })])).toEqual({ x: 200, y: 400 });
  });
});
