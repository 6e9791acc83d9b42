/** The signer's pages (apps/signer-web), built by Vite. Loaded only to build: Vite is a package, the launcher asks before `npm ci`. */
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { WORKSPACE } from './sources.mjs';

/** Kilobytes of gzipped script that a page may load before it is of use; the viewer of documents comes after. */
export const FIRST_SCRIPT_LIMIT_KB = 150;

/** The scripts that a page's HTML names (its entry, and what it preloads), gzipped. */
function firstScript(html, chunks) {
  const named = chunks.filter(({ fileName }) => html.includes(`"/${fileName}"`));
  return named.reduce((sum, { code }) => sum + gzipSync(code).length, 0) / 1000;
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
    define: { 'process.env.NODE_ENV': '"production"' }, // Vitest sets 'test', which would bundle React's development build
    build: { outDir, emptyOutDir: true },
  });
  const chunks = output.filter(({ type }) => type === 'chunk');
  const firstScriptKb = {};
  for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
    const html = output.find(({ source }) => typeof source === 'string' && source.includes(`src="/${entry.fileName}"`));
    const kilobytes = firstScript(html.source, chunks);
    firstScriptKb[entry.name] = kilobytes;
    if (kilobytes > FIRST_SCRIPT_LIMIT_KB)
      throw new Error(
        `the page ${entry.name} loads ${kilobytes.toFixed(0)} KB of gzipped script at first, more than ${FIRST_SCRIPT_LIMIT_KB}`,
      );
  }
  return { firstScriptKb };
}
