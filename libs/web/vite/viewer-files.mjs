import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const pdfjs = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** What pdf.js asks for while it renders: character maps, the fourteen fonts that files may leave out, decoders in plain JavaScript. */
const VIEWER_FILES = {
  cmaps: /\.bcmap$|^LICENSE$/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  // WebAssembly would need 'wasm-unsafe-eval' in the page's policy: JPEG 2000 is decoded by the fallback, the rest by the worker itself.
  wasm: /^openjpeg_nowasm_fallback\.js$|^LICENSE_(PDFJS_)?OPENJPEG$/,
};

/**
 * A plugin of Vite for pages that draw PDF files (@constancia/web/pdf). It lays the viewer's files under /assets, in a folder that carries
 * their version, since assets are cached for good.
 */
export function viewerFiles() {
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

/** Every server knows .js; .mjs it may not. */
export const viewerAssetNames = ({ names }) =>
  names[0]?.endsWith('.mjs') ? 'assets/[name]-[hash].js' : 'assets/[name]-[hash][extname]';
