import { describe, expect, it } from 'vitest';
import { columnOf, textOf } from './batch-file.ts';

describe('the text of a batch', () => {
  const lines = 'subject_ref,full_name\nc,Ana Peña\n';

  it('is that of the file, or else the lines that were pasted', async () => {
    expect(await textOf(new File([lines], 'a.csv'), 'pasted')).toEqual({ text: lines });
    expect(await textOf(new File([], 'empty.csv'), 'pasted')).toEqual({ text: 'pasted' });
    expect(await textOf(null, ' \n')).toEqual({ fault: 'nothing' });
  });

  it('is UTF-8 with all its letters: otherwise a name would match no list', async () => {
    expect(await textOf(new File([Buffer.from(lines, 'latin1')], 'ansi.csv'), '')).toEqual({ fault: 'not_utf8' });
    expect(await textOf(null, 'subject_ref,full_name\nc,Ana Pe\uFFFDa\n')).toEqual({ fault: 'letters' });
  });
});

it.each([
  ['/rows/3/payload/birth_date', 'birth_date'],
  ['/rows/1/subject_ref', 'subject_ref'],
  ['/rows/3/signers.buyer.email', 'signers.buyer.email'],
  ['/rows/7', ''],
  ['/rows', ''],
])('the column of a fault at %s is %j', (pointer, column) => {
  expect(columnOf({ pointer, row: 1, line: 2, code: 'x', detail: 'x' })).toBe(column);
});
