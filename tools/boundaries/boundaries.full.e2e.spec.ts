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
  'libs/storage/src/planted-problem.ts': [
    `import { NotFound } from '@constancia/problem-json';`, //
    `export const planted = NotFound;`,
  ],
  'apps/sealing-worker/src/planted-problem.ts': [
    `import { problemOf } from '@constancia/http';`,
    `import { NotFound } from '@constancia/problem-json';`,
    `export const planted = [problemOf, NotFound];`,
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
    `import { testKms } from '@constancia/testing/test-kms';`,
    `import { startDevKms } from '@constancia/dev-servers/dev-kms';`,
    `import { greyPng } from '../../../libs/pdf-sealing/src/png.fixture.ts';`,
    `export const planted = [sharedPath, testKms, startDevKms, greyPng];`,
  ],
  'libs/mail/src/planted-test-kit.ts': [
    `import { startDevKms } from '@constancia/dev-servers/dev-kms';`,
    `import { eventually } from '@constancia/testing';`,
    `import { bundle } from '@constancia/bundling';`,
    `export const planted = [startDevKms, eventually, bundle];`,
  ],
  'libs/mail/src/planted-violation.spec.ts': [
    `import { PdfPool } from '@constancia/pdf-sealing';`,
    `import { PLATFORM } from '../../../apps/platform/src/migrations/all.ts';`,
    `import { documentedOperations } from '../../../tools/security/fuzz/operations.ts';`,
    `export const planted = [PdfPool, PLATFORM, documentedOperations];`,
  ],
  'tools/docs/planted-violation.ts': [
    `import { mark } from '../../libs/http/src/routes/route-facts.ts';`,
    `import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';`,
    `export const planted = [mark, PLATFORM];`,
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

const TAGS = expect.stringMatching(/^@nx\/enforce-module-boundaries: .*type:kit/s);
const RELATIVE = expect.stringMatching(/^@nx\/enforce-module-boundaries: .*relative/is);
const VIOLATIONS = [
  TAGS,
  RELATIVE,
  expect.stringMatching(/^no-restricted-imports: .*bullmq is imported only in libs\/queue/s),
];

describe('the import law', () => {
  it('is broken by a kit that imports an engine, an app or a package of another library', () => {
    expect(messagesOf('libs/mail/src/planted-violation.ts')).toEqual(expect.arrayContaining(VIOLATIONS));
  });

  it('is broken by a fixture of a kit that does so', () => {
    expect(messagesOf('libs/mail/src/planted-violation.fixture.ts')).toEqual(expect.arrayContaining(VIOLATIONS));
  });

  it('is broken by a kit or a worker that throws HTTP problems', () => {
    const refused = (kind: string) =>
      expect.stringMatching(new RegExp(`^@nx/enforce-module-boundaries: .*${kind}`, 's'));
    expect(messagesOf('libs/storage/src/planted-problem.ts')).toEqual([refused('type:kit')]);
    expect(messagesOf('apps/sealing-worker/src/planted-problem.ts')).toEqual([
      refused('type:worker'),
      refused('type:worker'),
    ]);
  });

  it('is broken by the kernel that imports what reads a file', () => {
    expect(messagesOf('libs/kernel/src/planted-file.ts')).toEqual([
      expect.stringMatching(/^no-restricted-imports: .*This library is pure/s),
    ]);
  });

  it('is broken by production code that imports what serves tests alone', () => {
    expect(messagesOf('libs/mail/src/planted-test-kit.ts')).toEqual([TAGS, TAGS, TAGS]);
  });

  it('is broken by a spec that imports an engine from a kit, an app or a tool', () => {
    expect(messagesOf('libs/mail/src/planted-violation.spec.ts')).toEqual([TAGS, RELATIVE, RELATIVE]);
  });

  it('is broken by a tool that imports a file of a library instead of its name; apps have no names', () => {
    expect(messagesOf('tools/docs/planted-violation.ts')).toEqual([RELATIVE]);
  });

  it('is kept by a kit that imports a lower kit', () => {
    expect(messagesOf('libs/mail/src/planted-right.ts')).toEqual([]);
  });

  it('is kept by a fixture that imports what tests of several projects share', () => {
    expect(messagesOf('libs/mail/src/planted-right.fixture.ts')).toEqual([]);
  });
});
