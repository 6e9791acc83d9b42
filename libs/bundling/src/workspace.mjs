/** The folder of the checkout. Only Node's own modules: the launcher asks before `npm ci`. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @type {string} */
export const WORKSPACE = workspace(path.dirname(fileURLToPath(import.meta.url)));

/** Found from here upwards, because this file also runs from a bundle. */
function workspace(folder) {
  if (fs.existsSync(path.join(folder, 'nx.json'))) return folder;
  if (folder === path.dirname(folder)) throw new Error('nx.json is in no folder above this file');
  return workspace(path.dirname(folder));
}
