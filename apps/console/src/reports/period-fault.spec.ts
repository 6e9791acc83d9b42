import { expect, it } from 'vitest';
import { periodFault } from './period-fault.ts';

const TODAY = '2026-11-28';

it.each([
  ['2026-11-01', '2026-11-28', null],
  ['2026-11-28', '2026-12-31', null],
  ['2026-11-29', '2026-12-31', { field: 'from', fault: 'future' }],
  ['2026-11-28', '2026-11-27', { field: 'to', fault: 'backwards' }],
  ['2024-01-01', '2024-12-31', null],
  ['2024-01-01', '2025-01-01', { field: 'to', fault: 'long' }],
])('from %s to %s', (from, to, fault) => {
  expect(periodFault({ from, to }, TODAY)).toEqual(fault);
});
