import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const planted: string[] = [];

/** Lints one planted file with the workspace's own rules; answers the messages. */
function lintPlanted(file: string, source: string): string[] {
  const target = path.join(root, file);
  fs.writeFileSync(target, source);
  planted.push(target);
  const env = { ...process.env, NX_DAEMON: 'false', FORCE_COLOR: '0', NODE_NO_WARNINGS: '1' };
  spawnSync(path.join(root, 'node_modules/.bin/nx'), ['graph', '--file=dist/reports/graph.json'], { cwd: root, env });
  const result = spawnSync(path.join(root, 'node_modules/.bin/eslint'), ['--format=json', target], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  const json = result.stdout.slice(result.stdout.indexOf('[{'));
  const [report] = JSON.parse(json) as { messages: { ruleId: string; message: string }[] }[];
  return (report as { messages: { ruleId: string; message: string }[] }).messages.map(
    ({ ruleId, message }) => `${ruleId}: ${message}`,
  );
}

afterEach(() => {
  for (const file of planted.splice(0)) fs.rmSync(file, { force: true });
});

describe('the import law', () => {
  it('is broken by a kit that imports an engine, an app or a package of another library', { timeout: 90_000 }, () => {
    const messages = lintPlanted(
      'libs/mail/src/planted-violation.ts',
      [
        `import { PdfPool } from '@constancia/pdf-sealing';`,
        `import { PLATFORM } from '../../../apps/platform/src/migrations/all.ts';`,
        `import { Queue } from 'bullmq';`,
        `export const planted = [PdfPool, PLATFORM, Queue];`,
        '',
      ].join('\n'),
    );
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^@nx\/enforce-module-boundaries: .*type:kit/s),
        expect.stringMatching(/^@nx\/enforce-module-boundaries: .*relative/is),
        expect.stringMatching(/^no-restricted-imports: .*bullmq is imported only in libs\/queue/s),
      ]),
    );
  });

  it('is kept by a kit that imports a lower kit', { timeout: 90_000 }, () => {
    expect(
      lintPlanted(
        'libs/mail/src/planted-violation.ts',
        [`import { uuidv7 } from '@constancia/kernel';`, `export const planted = uuidv7;`, ''].join('\n'),
      ),
    ).toEqual([]);
  });
});
