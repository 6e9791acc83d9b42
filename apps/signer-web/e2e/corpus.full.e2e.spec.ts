import fs from 'node:fs';
import path from 'node:path';
import { sharedPath } from '@constancia/testing/shared-folder';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { jpeg2000Document } from '../dev/documents.ts';
import { type SignServer, startSignServer } from '../dev/sign-server.ts';
import { openReader } from './reader.ts';

const CORPUS = sharedPath('pdfs') ?? '';
const files = CORPUS
  ? fs.readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.pdf'))
  : [];
if (files.length === 0) console.warn('The viewer is not shown real documents: ../shared/pdfs is not here');

describe.skipIf(!browserInstalled('The viewer'))('the viewer of documents', () => {
  let server: SignServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startSignServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.skipIf(files.length === 0)(
    'shows every file of the corpus, or says that it cannot, within its policy',
    { timeout: 300_000 },
    async () => {
      const unshown: string[] = [];
      const left = [...files];
      const showOne = async (file: string): Promise<void> => {
        const pdf = fs.readFileSync(path.join(CORPUS, file));
        const { page, text, watched } = await openReader(browser, server, 'desktop', 'es-CO', {
          signerStatus: 'authenticated',
          pdf,
        });
        const shown = page.locator('.picture canvas').first();
        const failed = page.getByText(text.document.failed);
        await shown.or(failed).first().waitFor();
        if (await failed.isVisible()) unshown.push(path.basename(file));
        await watched.close();
        expect([file, watched.problems]).toEqual([file, []]);
      };
      const showRest = async (): Promise<void> => {
        for (let file = left.shift(); file !== undefined; file = left.shift()) await showOne(file);
      };
      await Promise.all([showRest(), showRest()]); // a page waits as long as it works
      // Locked, and cut off: a circuit can be published with neither.
      expect(unshown.sort()).toEqual(['libreoffice-writer-password.pdf', 'unreadablemetadata.pdf']);
    },
  );

  it('decodes JPEG 2000 without WebAssembly, which the policy forbids', async () => {
    const { page, watched } = await openReader(browser, server, 'desktop', 'es-CO', {
      signerStatus: 'authenticated',
      pdf: jpeg2000Document(),
    });
    await page.locator('.picture canvas').first().waitFor();
    expect(server.asked.filter((asked) => asked.endsWith('/wasm/openjpeg_nowasm_fallback.js'))).toHaveLength(1);
    expect(server.asked.filter((asked) => asked.endsWith('.wasm'))).toEqual([]);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });
});
