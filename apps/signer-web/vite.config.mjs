import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = path.dirname(fileURLToPath(import.meta.url));
const pdfjs = path.join(folder, '../../node_modules/pdfjs-dist');

/** What pdf.js asks for while it renders: character maps, the fourteen fonts that files may leave out, decoders in plain JavaScript. */
const VIEWER_FILES = {
  cmaps: /\.bcmap$|^LICENSE$/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  // WebAssembly would need 'wasm-unsafe-eval' in the page's policy: JPEG 2000 is decoded by the fallback, the rest by the worker itself.
  wasm: /^openjpeg_nowasm_fallback\.js$|^LICENSE_(PDFJS_)?OPENJPEG$/,
};

/** Lays the viewer's files under /assets, in a folder that carries their version, since assets are cached for good. */
function viewerFiles() {
  const { version } = JSON.parse(fs.readFileSync(path.join(pdfjs, 'package.json'), 'utf8'));
  const home = `assets/pdfjs-${version}`;
  return {
    name: 'viewer-files',
    config: () => ({ define: { VIEWER_FILES: JSON.stringify(`/${home}/`) } }),
    generateBundle() {
      for (const [kind, wanted] of Object.entries(VIEWER_FILES))
        for (const file of fs.readdirSync(path.join(pdfjs, kind)).filter((name) => wanted.test(name)))
          this.emitFile({
            type: 'asset',
            fileName: `${home}/${kind}/${file}`,
            source: fs.readFileSync(path.join(pdfjs, kind, file)),
          });
    },
  };
}

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
        // Every server knows .js; .mjs it may not.
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.mjs') ? 'assets/[name]-[hash].js' : 'assets/[name]-[hash][extname]',
      },
    },
  },
});
