import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Files that exist while the linter runs. Unit tests read all sources at once: hence this runs among the e2e tests, one file at a time. */
const PLANTED = {
  'libs/mail/src/planted-violation.ts': [
    `import { PdfPool } from '@constancia/pdf-sealing';`,
    `import { PLATFORM } from '../../../apps/platform/src/migrations/all.ts';`,
    `import { Queue } from 'bullmq';`,
    `export const planted = [PdfPool, PLATFORM, Queue];`,
  ],
  'libs/mail/src/planted-violation.fixture.ts': [
    `import { PdfPool } from '@constancia/pdf-sealing';`,
    `import { PLATFORM } from '../../../apps/platform/src/migrations/all.ts';`,
    `import { Queue } from 'bullmq';`,
    `export const planted = [PdfPool, PLATFORM, Queue];`,
  ],
  'libs/kernel/src/planted-file.ts': [
    `import fs from 'node:fs';`, //
    `export const planted = fs.existsSync;`,
  ],
  'libs/mail/src/planted-right.ts': [
    `import { uuidv7 } from '@constancia/kernel';`, //
    `export const planted = uuidv7;`,
  ],
  'libs/mail/src/planted-right.fixture.ts': [
    `import { sharedPath } from "@constancia/testing/shared-folder";`,
    `import { testKms } from '../../../tools/test/test-kms.ts';`,
    `export const planted = [sharedPath, testKms];`,
  ],
} as const;

interface Report {
  filePath: string;
  messages: { ruleId: string; message: string }[];
}

let reports: Report[] = [];
const messagesOf = (file: keyof typeof PLANTED) =>
  reports
    .find(({ filePath }) => filePath === path.join(root, file))
    ?.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`);

beforeAll(() => {
  for (const [file, lines] of Object.entries(PLANTED)) fs.writeFileSync(path.join(root, file), `${lines.join('\n')}\n`);
  const env = { ...process.env, NX_DAEMON: 'false', FORCE_COLOR: '0', NODE_NO_WARNINGS: '1' };
  const options = { cwd: root, env, encoding: 'utf8' } as const;
  spawnSync(path.join(root, 'node_modules/.bin/nx'), ['graph', '--file=dist/reports/graph.json'], options);
  const args = ['--format=json', ...Object.keys(PLANTED)];
  const { stdout } = spawnSync(path.join(root, 'node_modules/.bin/eslint'), args, options);
  reports = JSON.parse(stdout.slice(stdout.indexOf('[{'))) as Report[];
}, 120_000);
afterAll(() => {
  for (const file of Object.keys(PLANTED)) fs.rmSync(path.join(root, file), { force: true });
});

const VIOLATIONS = [
  expect.stringMatching(/^@nx\/enforce-module-boundaries: .*type:kit/s),
  expect.stringMatching(/^@nx\/enforce-module-boundaries: .*relative/is),
  expect.stringMatching(/^no-restricted-imports: .*bullmq is imported only in libs\/queue/s),
];

describe('the import law', () => {
  it('is broken by a kit that imports an engine, an app or a package of another library', () => {
    expect(messagesOf('libs/mail/src/planted-violation.ts')).toEqual(expect.arrayContaining(VIOLATIONS));
  });

  it('is broken by a fixture of a kit that does so', () => {
    expect(messagesOf('libs/mail/src/planted-violation.fixture.ts')).toEqual(expect.arrayContaining(VIOLATIONS));
  });

  it('is broken by the kernel that imports what reads a file', () => {
    expect(messagesOf('libs/kernel/src/planted-file.ts')).toEqual([
      expect.stringMatching(/^no-restricted-imports: .*This library is pure/s),
    ]);
  });

  it('is kept by a kit that imports a lower kit', () => {
    expect(messagesOf('libs/mail/src/planted-right.ts')).toEqual([]);
  });

  it('is kept by a fixture that imports what tests of several projects share', () => {
    expect(messagesOf('libs/mail/src/planted-right.fixture.ts')).toEqual([]);
  });
});
