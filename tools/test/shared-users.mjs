/** Which specs use ../shared. Only Node's own modules. */
import fs from 'node:fs';
import path from 'node:path';

const SOURCE = /\.(ts|mjs)$/;
const SPECIFIER = /(?:from|import)\s*\(?\s*'([^']+)'/g;
const HELPER = 'libs/testing/src/shared-folder.ts';
const PACKAGE = '@constancia/testing/shared-folder';

function sources(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) return [];
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return sources(file);
    return SOURCE.test(entry.name) ? [file] : [];
  });
}

/**
 * Specs that reach the one module that finds ../shared, by what they import, directly or through other files.
 * @param {string} root of the checkout
 * @returns {string[]} paths from there
 */
export function specsThatUseShared(root) {
  const importers = new Map();
  for (const file of ['apps', 'libs', 'tools'].flatMap((folder) => sources(path.join(root, folder)))) {
    for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(SPECIFIER)) {
      const target =
        name === PACKAGE ? HELPER : name.startsWith('.') && path.relative(root, path.resolve(path.dirname(file), name));
      if (target) importers.set(target, [...(importers.get(target) ?? []), path.relative(root, file)]);
    }
  }
  const reached = new Set([HELPER]);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return [...reached].filter((file) => file.endsWith('.spec.ts')).sort();
}
