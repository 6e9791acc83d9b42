import { expect, it } from 'vitest';
import { listText } from './list-file.ts';

const LINES = 'id,name\nI-1,Ana Peña\n';

it('a list is read in UTF-8 alone, with all its letters', async () => {
  expect(await listText(new File([LINES], 'list.csv'))).toBe(LINES);
  expect(await listText(new File([Buffer.from(LINES, 'latin1')], 'ansi.csv'))).toBeNull();
  expect(await listText(new File(['id,name\nI-1,Ana Pe\uFFFDa\n'], 'lost.csv'))).toBeNull();
});
