import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, it } from 'vitest';

/** Texts that people read in English. `organisation` is a value of the API (the kind of a list's entry) and stands in code there. */
const READ = ['docs/*.md', 'docs/**/*.md', 'README.md', 'CHANGELOG.md', 'apps/**/english*.ts', 'apps/**/*-texts.ts'];
const CODE = /```[\s\S]*?```|`[^`]*`|^\s*organisation:/gm;

it('an organization is spelled in one way wherever people read', () => {
  const files = spawnSync('git', ['ls-files', ...READ], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);
  expect(files.length).toBeGreaterThan(50);
  const others = files.filter((file) => /organisation/i.test(fs.readFileSync(file, 'utf8').replace(CODE, '')));
  expect(others).toEqual([]);
});
