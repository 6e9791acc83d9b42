import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeIn, documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';
import { AskingTenant } from './reuse.fixture.ts';

const ANA = 'ana.ruiz@correo.example.co';
const PAGES = path.join(WORKSPACE, 'dist/apps/person-web');

let store: TestDatabase;
let wallets: RunningWallets;
let browser: Browser;

beforeAll(async () => {
  store = await testDatabase();
  [wallets, browser] = await Promise.all([RunningWallets.start(store), openBrowser()]);
  await (await wallets.verified(documentOf('approve'))).keep(ANA);
  await wallets.mail(ANA, 1);
});
afterAll(async () => {
  await browser?.close();
  await wallets?.close();
  await store?.drop();
});

/** The built page of a link; everything else is answered by the platform. */
async function open(token: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'es-CO' })).newPage();
  await page.route(/\/(assets\/.*|consent\/[^/]+)$/, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: path.join(PAGES, pathname.startsWith('/assets/') ? pathname : 'consent.html') });
  });
  await page.goto(`${wallets.host.url}/consent/${token}`);
  return page;
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function proved(token: string): Promise<Page> {
  const page = await open(token);
  await page.getByLabel('Su correo electrónico').fill(ANA);
  await wallets.forgetSends();
  const before = wallets.mailbox.messages(ANA).length;
  await press(page, 'Enviar el código');
  await page.getByLabel('Código', { exact: true }).fill(codeIn(await wallets.mail(ANA, before)));
  await press(page, 'Continuar');
  await page.getByText('Lo que usted autoriza').waitFor();
  return page;
}

describe.skipIf(!browserInstalled('The page of a request on the platform') || !fs.existsSync(PAGES))(
  'the page of a request, on the platform',
  () => {
    it('approves with the code of the wallet, in the browser of the code, and nothing before or elsewhere', async () => {
      const bank = await AskingTenant.create(wallets);
      const { id, page: link } = await bank.link();
      const stranger = await open(link.token);
      await stranger.getByText('Abrir su cuenta').waitFor();
      const page = await proved(link.token);
      expect((await bank.show(id)).body).toMatchObject({ status: 'pending', claims: null });
      await stranger.reload();
      await stranger.getByText('Compruebe que es usted').waitFor();
      await press(page, 'Autorizar y entregar');
      await page.getByRole('heading', { name: 'Datos entregados' }).waitFor();
      expect((await bank.show(id)).body).toMatchObject({ status: 'approved' });
      await stranger.reload();
      await stranger.getByRole('heading', { name: 'Este enlace no sirve' }).waitFor();
    });

    it('refuses without a word to the tenant', async () => {
      const bank = await AskingTenant.create(wallets);
      const { id, page: link } = await bank.link();
      const page = await proved(link.token);
      await press(page, 'No entregar');
      await press(page, 'Terminar sin entregar');
      await page.getByRole('heading', { name: 'No se entregó nada' }).waitFor();
      expect((await bank.show(id)).body).toMatchObject({ claims: null });
    });
  },
);
