import { expect, it } from 'vitest';
import { shrunk } from './luma.ts';

const plane = (rows: number[][], fullRange = true) => ({
  data: Uint8Array.from([255, ...rows.flatMap((row) => [...row, 255])]), // a byte before the plane, and one after each row
  offset: 1,
  stride: (rows[0] as number[]).length + 1,
  fullRange,
});
const whole = (rows: number[][]) => ({ x: 0, y: 0, width: (rows[0] as number[]).length, height: rows.length });

it('makes a picture smaller by the mean of what each pixel covers, also of parts of pixels', () => {
  const even = [[10, 20, 100, 100], [30, 40, 100, 100], [0, 0, 7, 7], [0, 0, 7, 9]]; // prettier-ignore
  expect([...shrunk(plane(even), whole(even), 2, 2).data]).toEqual([25, 100, 0, 8]);
  const odd = [[0, 90, 180], [0, 90, 180], [90, 90, 90]]; // prettier-ignore
  // 1.5 pixels each way: (0 + 90 / 2) / 1.5 and (90 / 2 + 180) / 1.5 above; half of the middle row is below.
  expect([...shrunk(plane(odd), whole(odd), 2, 2).data]).toEqual([30, 150, 70, 110]);
  expect([...shrunk(plane(odd), whole(odd), 3, 3).data]).toEqual(odd.flat());
});

it('looks at the part alone, and stretches the grey of a video', () => {
  const rows = [[16, 235, 50, 0], [16, 235, 50, 255]]; // prettier-ignore
  expect([...shrunk(plane(rows, false), { x: 0, y: 0, width: 2, height: 2 }, 2, 2).data]).toEqual([0, 255, 0, 255]);
  expect([...shrunk(plane(rows, false), { x: 3, y: 0, width: 1, height: 2 }, 1, 2).data]).toEqual([0, 255]);
});
