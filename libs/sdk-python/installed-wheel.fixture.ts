import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SOURCE = import.meta.dirname;
const NEEDED = ['httpx', 'pydantic', 'cryptography', 'hatchling', 'pip', 'venv'];

/** A Python that has what the wheel needs and what builds it: Debian's, where it is not the first on the PATH. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (program) =>
    spawnSync(program, ['-c', `import sys, ${NEEDED.join(', ')}; assert sys.version_info >= (3, 11)`]).status === 0,
);

export const PYTHON_MISSING =
  'Python 3.11 with httpx, pydantic, cryptography and hatchling is missing (Debian: python3-pip python3-httpx python3-pydantic ' +
  'python3-cryptography python3-hatchling)';

export interface InstalledWheel {
  /** The Python of a virtual environment in which the wheel is installed. */
  python: string;
  /** The names in the wheel. */
  names: string[];
  remove(): void;
}

/** Builds the wheel and installs it as anybody would who has its dependencies: no source of it is on the path. */
export function installWheel(): InstalledWheel {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-python-'));
  const run = (program: string, args: string[], cwd: string) =>
    execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  run(python as string, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], SOURCE);
  const wheel = fs.readdirSync(folder).find((name) => name.endsWith('.whl')) as string;
  const names = run(python as string, ['-m', 'zipfile', '-l', wheel], folder);
  run(python as string, ['-m', 'venv', '--system-site-packages', '--without-pip', 'venv'], folder);
  const installed = path.join(folder, 'venv/bin/python');
  const pip = ['-m', 'pip', '--python', installed, 'install', '--quiet', '--no-index', '--no-deps'];
  run(python as string, [...pip, path.join(folder, wheel)], folder);
  return {
    python: installed,
    names: names
      .split('\n')
      .slice(1)
      .flatMap((line) => line.split(/\s{2,}/)[0] || []),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
