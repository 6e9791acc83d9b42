import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { viewerAssetNames, viewerFiles } from '@constancia/web/viewer-files';
import { defineConfig } from 'vite';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** One page, served by the platform on the console's host. */
export default defineConfig({
  root: folder,
  base: '/',
  publicDir: false,
  plugins: [viewerFiles()],
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { console: path.join(folder, 'index.html') },
      output: { assetFileNames: viewerAssetNames },
    },
  },
});
