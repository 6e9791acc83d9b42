import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { viewerAssetNames, viewerFiles } from '@constancia/web/viewer-files';
import { defineConfig } from 'vite';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** Preloads the module of the signing page, which its entry imports dynamically: Vite does so for static imports only. */
function preloadPage() {
  return {
    name: 'preload-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { chunk, bundle }) {
        if (chunk?.name !== 'sign') return [];
        return chunk.dynamicImports
          .flatMap((name) => [name, ...bundle[name].imports])
          .map((name) => `/${name}`)
          .filter((href) => !html.includes(`"${href}"`))
          .map((href) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href }, injectTo: 'head' }));
      },
    },
  };
}

/** Two pages: the one where people sign, and the one where anyone verifies. */
export default defineConfig({
  root: folder,
  base: '/',
  publicDir: false,
  appType: 'mpa',
  plugins: [viewerFiles(), preloadPage()],
  build: {
    outDir: 'dist',
    // Phones that are some years old sign, too.
    target: ['chrome90', 'edge90', 'firefox90', 'safari15'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { sign: path.join(folder, 'index.html'), verify: path.join(folder, 'verify.html') },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: viewerAssetNames,
      },
    },
  },
});
