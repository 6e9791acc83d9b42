import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { drift, formattedFiles } from './drift.ts';

describe('the manifests', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-drift-'));
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('are committed as tools/deploy renders them (else: npm run deploy:render)', { timeout: 60_000 }, async () => {
    expect(drift(process.cwd(), await formattedFiles())).toEqual([]);
  });

  it('drift when a file is changed, missing or no longer rendered', () => {
    fs.mkdirSync(path.join(folder, 'deploy/a'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'deploy/a/changed.yaml'), 'by: hand\n');
    fs.writeFileSync(path.join(folder, 'deploy/a/old.yaml'), 'of: yesterday\n');
    const files = new Map([
      ['deploy/a/changed.yaml', 'as: rendered\n'],
      ['deploy/a/new.yaml', 'as: rendered\n'],
    ]);
    expect(drift(folder, files)).toEqual([
      { file: 'deploy/a/changed.yaml', what: 'differs' },
      { file: 'deploy/a/new.yaml', what: 'is not written' },
      { file: 'deploy/a/old.yaml', what: 'is no longer rendered' },
    ]);
  });
});
