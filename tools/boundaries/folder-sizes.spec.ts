import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';

const LIMIT = 25;
const NOT_COUNTED = /\.(spec|fixture)\.|\/migrations\//;

/** Folders of apps, libs and tools with more source files than the limit; tests and migrations aside. */
function largeFolders(): string[] {
  const listed = execFileSync('git', ['ls-files', 'apps', 'libs', 'tools'], { cwd: WORKSPACE, encoding: 'utf8' });
  const counts = new Map<string, number>();
  for (const file of listed.trim().split('\n')) {
    if (NOT_COUNTED.test(file)) continue;
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > LIMIT).map(([folder]) => folder);
}

it('a folder of more than 25 files is one that docs/architecture.md gives a reason for', () => {
  const text = fs.readFileSync(path.join(WORKSPACE, 'docs/architecture.md'), 'utf8');
  const section = text.slice(text.indexOf('## Large folders'));
  const reasons = [...section.matchAll(/^- `([^`]+)`: \S/gm)].map(([, folder]) => folder);
  expect(largeFolders().sort()).toEqual(reasons.sort());
});
