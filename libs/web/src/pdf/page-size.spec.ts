import { expect, it } from 'vitest';
import { sizeOf } from './load-viewer.ts';

it('the size of a page is in its own units, which pdf.js multiplies by /UserUnit', () => {
  const page = {
    userUnit: 2,
    getViewport: ({ scale }: { scale: number }) => ({ width: 612 * scale * 2, height: 792 * scale * 2 }),
  };
  expect(sizeOf(page as Parameters<typeof sizeOf>[0])).toEqual({ width: 612, height: 792 });
});
