import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { WORKSPACE } from '../build/sources.mjs';
import { mistakesIn } from './bundled-packages.ts';

it('NOTICE names every package in the bundles, and none that is gone: else run tools/notice/write-notice.ts', () => {
  const notice = fs.readFileSync(path.join(WORKSPACE, 'NOTICE'), 'utf8');
  expect(mistakesIn(notice)).toEqual([]);
  expect(mistakesIn(notice.replace('    ansis, ', '    '))).toEqual(['ansis is not named']);
});
