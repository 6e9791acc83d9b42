import fs from 'node:fs';
import path from 'node:path';

/** The checkout's own neighbour. */
const BESIDE = path.resolve(import.meta.dirname, '../../../../shared');

/**
 * Public PDFs, photos and lists that tests and benches read where they are: outside the repository, in ../shared or where SHARED_DIR
 * points. SHARED_DIR="" hides them. A file or folder there, or undefined: what needs it is skipped as a whole, and nothing else may.
 */
export function sharedPath(...names: string[]): string | undefined {
  const folder = process.env.SHARED_DIR ?? BESIDE;
  if (folder === '') return undefined;
  const place = path.join(path.resolve(folder), ...names);
  return fs.existsSync(place) ? place : undefined;
}
