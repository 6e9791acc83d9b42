import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** One page, served by the platform on the host of persons. */
export default defineConfig({
  root: folder,
  base: '/',
  publicDir: false,
  build: {
    outDir: 'dist',
    // Phones that are some years old take pictures, too.
    target: ['chrome90', 'edge90', 'firefox90', 'safari15'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: { capture: path.join(folder, 'index.html') } },
  },
});
