import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { embedScript } from './embed-script.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** Lays the script for tenants' pages beside ours. */
const tenantsScript = {
  name: 'tenants-script',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'embed/v1.js', source: await embedScript() });
  },
};

/** Pages that the platform serves on the host of persons: the capture page, also for a frame of a tenant's page, the wallet's, that of a consent, and that of a sign-in. */
export default defineConfig({
  root: folder,
  base: '/',
  publicDir: false,
  appType: 'mpa',
  plugins: [tenantsScript],
  build: {
    outDir: 'dist',
    // Phones that are some years old take pictures, too.
    target: ['chrome90', 'edge90', 'firefox90', 'safari15'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        capture: path.join(folder, 'index.html'),
        wallet: path.join(folder, 'wallet.html'),
        consent: path.join(folder, 'consent.html'),
        openid: path.join(folder, 'openid.html'),
      },
    },
  },
});
