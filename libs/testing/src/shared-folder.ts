import fs from 'node:fs';
import path from 'node:path';

/** The checkout's own neighbour. */
const NEIGHBOUR = path.resolve(import.meta.dirname, '../../../../shared');

/**
 * Public PDFs, photos and lists that tests and benches read where they are: outside the repository, in ../shared or where SHARED_DIR
 * points. SHARED_DIR="" hides them. A file or folder there, or undefined: what needs it is skipped as a whole, and nothing else may.
 */
export function sharedPath(...names: string[]): string | undefined {
  const folder = process.env.SHARED_DIR ?? NEIGHBOUR;
  if (folder === '') return undefined;
  const place = path.join(path.resolve(folder), ...names);
  return fs.existsSync(place) ? place : undefined;
}

/**
 * All cases; only the last one in a run that repeats a complete run without ../shared. For slow cases whose differences do not depend on
 * that folder.
 */
export function variants<Case>(all: readonly Case[]): readonly Case[] {
  return process.env.SHARED_HIDDEN_AGAIN === '1' ? all.slice(-1) : all;
}
