import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that was laid beside the bundle this module runs in (an entry, or a chunk one folder below), or undefined. */
export function besideBundle(moduleUrl: string, file: string): string | undefined {
  const folder = path.dirname(fileURLToPath(moduleUrl));
  return [path.join(folder, file), path.join(folder, '..', file)].find((candidate) => fs.existsSync(candidate));
}
