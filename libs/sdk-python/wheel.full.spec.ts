import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installWheel, type InstalledWheel, python, PYTHON_MISSING } from './installed-wheel.fixture.ts';

const FOLDER = import.meta.dirname;

describe.skipIf(!python)(`the wheel, installed from its file (skipped where ${PYTHON_MISSING})`, () => {
  let wheel: InstalledWheel;
  const inWheel = (args: string[]) => {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: path.join(FOLDER, 'tests') };
    return execFileSync(wheel.python, args, { cwd: os.tmpdir(), encoding: 'utf8', stdio: 'pipe', env });
  };

  beforeAll(() => {
    wheel = installWheel();
  }, 120_000);
  afterAll(() => wheel?.remove());

  it('carries the package with its types and licence, and nothing else', () => {
    const others = wheel.names.filter((name) => !/^constancia\/([a-z_]+\/)?[a-z_]+\.py$/.test(name));
    expect(others.map((name) => name.replace(/^constancia-[\d.]+\.dist-info\//, '')).sort()).toEqual(
      ['METADATA', 'RECORD', 'WHEEL', 'constancia/py.typed', 'licenses/LICENSE'].sort(),
    );
  });

  it('has the version of the TypeScript client', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(FOLDER, '../sdk/package.json'), 'utf8')) as {
      version: string;
    };
    const ask = [
      'import importlib.metadata, importlib.util',
      'print(importlib.metadata.version("constancia"), importlib.util.find_spec("constancia").origin)',
    ].join('\n');
    expect(inWheel(['-c', ask])).toMatch(new RegExp(`^${version} .*/venv/lib/`));
  });

  it('passes its tests: requests, answers, retries, pages, webhooks and sealed documents', { timeout: 120_000 }, () => {
    expect(() =>
      inWheel(['-W', 'error', '-m', 'unittest', 'discover', '-s', path.join(FOLDER, 'tests')]),
    ).not.toThrow();
  });
});
