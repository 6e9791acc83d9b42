/** The pages for people (PAGES in sources.mjs), built by Vite. Loaded only to build: Vite is a package, the launcher asks before `npm ci`. */
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { WORKSPACE } from './sources.mjs';

/** Kilobytes of gzipped script that a page may load before it is of use; the viewer of documents comes after. */
export const FIRST_SCRIPT_LIMIT_KB = 150;

/** Addresses are absolute, or relative to the page. */
const isNamedIn = (html, fileName) => html.includes(`"/${fileName}"`) || html.includes(`"./${fileName}"`);

/** The scripts that a page's HTML names (its entry, and what it preloads), gzipped. */
function firstScript(html, chunks) {
  const named = chunks.filter(({ fileName }) => isNamedIn(html, fileName));
  return named.reduce((sum, { code }) => sum + gzipSync(code).length, 0) / 1000;
}

/**
 * Builds the pages of a folder (apps/signer-web) into `outDir`: an HTML file each, and what they load.
 *
 * @returns {Promise<{ firstScriptKb: Record<string, number> }>} by page
 * @throws Error when a page loads more script than FIRST_SCRIPT_LIMIT_KB before it is of use
 */
export async function buildPages(folder, outDir) {
  fs.mkdirSync(outDir, { recursive: true });
  const built = await build({
    configFile: path.join(WORKSPACE, folder, 'vite.config.mjs'),
    logLevel: 'error',
    mode: 'production',
    // Vitest sets NODE_ENV to 'test', which would bundle React's development build and calls of it.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { development: false } },
    build: { outDir, emptyOutDir: true },
  });
  const { output } = /** @type {import('rolldown').RolldownOutput} */ (built);
  const chunks = output.filter((file) => file.type === 'chunk');
  const pages = output.flatMap((file) =>
    file.type === 'asset' && typeof file.source === 'string' ? [file.source] : [],
  );
  /** @type {Record<string, number>} */
  const firstScriptKb = {};
  for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
    const html = pages.find((source) => isNamedIn(source, entry.fileName));
    const kilobytes = firstScript(html, chunks);
    firstScriptKb[entry.name] = kilobytes;
    if (kilobytes > FIRST_SCRIPT_LIMIT_KB)
      throw new Error(
        `the page ${entry.name} loads ${kilobytes.toFixed(0)} KB of gzipped script at first, more than ${FIRST_SCRIPT_LIMIT_KB}`,
      );
  }
  return { firstScriptKb };
}
