import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { WORKSPACE } from '../build/bundle.mjs';

/** Timers that repeat no work on the store: leases and children under way, a log's buffer, a parent that is gone. */
const TIMERS = [
  'libs/child-process/src/framed-child.ts',
  'libs/child-process/src/watch-parent.ts',
  'libs/queue/src/leased-work.ts',
  'libs/telemetry/src/logger.ts',
];

it('periodic work of processes is a PeriodicTask, which never overlaps and which close waits for', () => {
  const found = ['apps', 'libs'].flatMap((root) =>
    fs
      .readdirSync(path.join(WORKSPACE, root), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(root, file))
      .filter((file) => /^[^/]+\/[^/]+\/src\/.*\.ts$/.test(file) && !/\.(spec|fixture)\.ts$/.test(file))
      .filter((file) => !file.startsWith('apps/signer-web/'))
      .filter((file) => fs.readFileSync(path.join(WORKSPACE, file), 'utf8').includes('setInterval(')),
  );
  expect(found.sort()).toEqual(TIMERS);
});
