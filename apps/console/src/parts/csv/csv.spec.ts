import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

describe('a CSV file made in the browser', () => {
  it('quotes what would end a cell, and lets no text run as a formula', async () => {
    const file = csvOf(
      ['day', 'what', 'credits'],
      [
        ['2026-11-01', 'a "b", c', -8],
        ['=1+1', '@x', null],
      ],
    );
    expect(await file.text()).toBe('day,what,credits\r\n2026-11-01,"a ""b"", c",-8\r\n\'=1+1,\'@x,\r\n');
  });

  it('begins with a byte order mark', async () => {
    const bytes = new Uint8Array(await csvOf(['día'], []).arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });
});
