import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { specsThatUseShared } from './shared-users.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('tests and ../shared', () => {
  it('those that use it are found, also through a fixture', () => {
    const specs = specsThatUseShared(ROOT);
    expect(specs).toContain('libs/pdf-sealing/src/corpus.full.spec.ts');
    expect(specs).toContain('tools/e2e/traces.full.e2e.spec.ts');
    expect(specs.length).toBeLessThan(30);
  });

  it('one module finds it, which SHARED_DIR can hide', () => {
    const args = ['grep', '-lE', 'path\\.(join|resolve)\\(.*\\.\\./shared', '--', 'apps', 'libs', 'tools'];
    const { stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
    expect(stdout.split('\n').filter(Boolean)).toEqual(['libs/testing/src/shared-folder.ts']);
  });
});
