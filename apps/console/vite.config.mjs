import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { viewerAssetNames, viewerFiles } from '@constancia/web/viewer-files';
import { defineConfig } from 'vite';

const folder = path.dirname(fileURLToPath(import.meta.url));

const PARTS = /\/(apps\/console\/src\/parts\/(?!record-table)|libs\/web\/src\/components\/)/;

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
      output: {
        assetFileNames: viewerAssetNames,
        // What every section uses is one file with the first script: a screen that is opened asks for a few files, not for one of each
        // part. But for tables of records, which are large.
        codeSplitting: { groups: [{ name: 'parts', test: PARTS }] },
      },
    },
  },
});
