import os from 'node:os';
import { defineConfig } from 'vitest/config';

const FULL = '**/*.full.*';
const cores = os.availableParallelism();
/** Two releases of six processes each: by command (npm run release:pair), before a release is made. */
const pair = process.env.RELEASE_PAIR ? [] : ['tools/release/rolling-pair.e2e.spec.ts'];
/** `npm test` leaves ".full." specs out, `npm run test:full` has no other ones. Vitest by itself runs both. */
const left = process.env.TEST_TARGET === 'test' ? [FULL] : [];
const exclude = ['**/node_modules/**', '**/dist/**', '**/.local/**', ...pair, ...left];

/** Through a pooler (tools/test/README.md). */
const pooler = process.env.TEST_POOLER === '1' ? ['tools/test/pooler.ts'] : [];

/** Specs whose name ends as stated. */
const specs = (ending: string) => [
  `{apps,libs,tools}/**/*${process.env.TEST_TARGET === 'test-full' ? '.full' : ''}${ending}`,
];

/**
 * unit: no server. int: a real PostgreSQL (a database per file, cloned from a template) and, where a store has two backends,
 * a real Redis. e2e: every process, from the bundles.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['tools/test/child-programs.ts'],
          include: specs('.spec.ts'),
          exclude: [...exclude, '**/*.int.spec.ts', '**/*.e2e.spec.ts'],
          // Vitest leaves one core free; on a machine with two that would leave one worker.
          maxWorkers: Math.max(cores - 1, Math.min(cores, 2)),
          // Files share modules: loading them again for each took most of the time.
          isolate: false,
          // Tests state themselves how long a thing may take; this only ends one that hangs.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'int',
          setupFiles: ['tools/test/child-programs.ts', ...pooler],
          include: specs('.int.spec.ts'),
          exclude,
          globalSetup: ['tools/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
          maxWorkers: 2,
          // Files share modules, not databases: loading an app's modules again for each file took a third of the time.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          setupFiles: ['tools/test/child-programs.ts'],
          include: specs('.e2e.spec.ts'),
          exclude,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // What pages come to show, on a machine that runs every process beside the browser.
          expect: { poll: { timeout: 10_000 } },
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
