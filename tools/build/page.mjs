/** The signer's pages (apps/signer-web), built by Vite. Loaded only to build: Vite is a package, the launcher asks before `npm ci`. */
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { WORKSPACE } from './sources.mjs';

/** Kilobytes of gzipped script that a page may load before it is of use; the viewer of documents comes after. */
export const FIRST_SCRIPT_LIMIT_KB = 150;

/** The script of an entry and of everything it imports before it can run, gzipped. */
function firstScript(entry, chunks) {
  const needed = new Set();
  const follow = (name) => {
    if (needed.has(name) || !chunks.has(name)) return;
    needed.add(name);
    chunks.get(name).imports.forEach(follow);
  };
  follow(entry.fileName);
  return [...needed].reduce((sum, name) => sum + gzipSync(chunks.get(name).code).length, 0) / 1000;
}

/**
 * Builds the pages into `outDir`: an HTML file each, and what they load under assets/.
 *
 * @returns {Promise<{ firstScriptKb: Record<string, number> }>} by page
 * @throws Error when a page loads more script than FIRST_SCRIPT_LIMIT_KB before it is of use
 */
export async function buildPages(outDir) {
  fs.mkdirSync(outDir, { recursive: true });
  const { output } = await build({
    configFile: path.join(WORKSPACE, 'apps/signer-web/vite.config.mjs'),
    logLevel: 'error',
    mode: 'production',
    build: { outDir, emptyOutDir: true },
  });
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const firstScriptKb = {};
  for (const chunk of chunks.values()) {
    if (!chunk.isEntry) continue;
    const kilobytes = firstScript(chunk, chunks);
    firstScriptKb[chunk.name] = kilobytes;
    if (kilobytes > FIRST_SCRIPT_LIMIT_KB)
      throw new Error(
        `the page ${chunk.name} loads ${kilobytes.toFixed(0)} KB of gzipped script at first, more than ${FIRST_SCRIPT_LIMIT_KB}`,
      );
  }
  return { firstScriptKb };
}
