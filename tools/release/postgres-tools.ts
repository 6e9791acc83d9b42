import fs from 'node:fs';
import path from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
const PROGRAMS = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'psql'];

/**
 * The folder of a PostgreSQL that has server and tools of one version (Debian's package `postgresql`), the newest; null when
 * there is none. The server that npm brings comes without pg_dump, and pg_dump refuses a newer server than itself.
 */
export function postgresWithTools(): string | null {
  if (!fs.existsSync(DEBIAN)) return null;
  const versions = fs.readdirSync(DEBIAN).toSorted((one, other) => Number(other) - Number(one));
  const complete = versions
    .map((version) => path.join(DEBIAN, version))
    .find((folder) => PROGRAMS.every((program) => fs.existsSync(path.join(folder, 'bin', program))));
  return complete ?? null;
}
