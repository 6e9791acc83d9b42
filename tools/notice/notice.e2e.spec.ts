import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { WORKSPACE } from '../build/sources.mjs';
import { renewed } from './bundled-packages.ts';

it('NOTICE names every package in the bundles and none beside them: else run tools/notice/write-notice.ts', () => {
  const notice = fs.readFileSync(path.join(WORKSPACE, 'NOTICE'), 'utf8');
  expect(notice).toBe(renewed(notice));
});
