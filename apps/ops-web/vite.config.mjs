import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** One page. The ops listener serves the files of one folder, so there is no folder for assets, and addresses are relative. */
export default defineConfig({
  root: folder,
  base: './',
  publicDir: false,
  build: {
    outDir: 'dist',
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: { ops: path.join(folder, 'index.html') } },
  },
});
