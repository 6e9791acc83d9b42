import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
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
  await wallets.keeper(documentOf('approve'), ANA);
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

    it('takes nothing that a page of another site sends, not even in the browser that proved whose the wallet is', async () => {
      const bank = await AskingTenant.create(wallets);
      const { id, page: link } = await bank.link();
      const page = await proved(link.token);
      const evil = await otherSite();
      const attack = await page.context().newPage();
      await attack.goto(evil.url);
      const approve = `${wallets.host.url}/consent/${link.token}/approve`;
      const body = JSON.stringify({ nonce: 'A'.repeat(43), claims: [], version: '1', locale: 'es-CO', sha256: 'a'.repeat(64) }); // prettier-ignore
      const answers: number[] = [];
      attack.on('response', (response) => {
        if (response.url() === approve && response.request().method() === 'POST') answers.push(response.status());
      });
      const send = (type: string, mode: string) =>
        attack.evaluate(
          `fetch(${JSON.stringify(approve)}, { method: 'POST', mode: '${mode}', credentials: 'include', headers: { 'Content-Type': '${type}' }, body: ${JSON.stringify(body)} }).then((answer) => answer.type, () => 'refused')`,
        );
      expect(await send('application/json', 'cors')).toBe('refused'); // by the browser: there is no CORS
      expect(await send('text/plain', 'no-cors')).toBe('refused'); // it is sent, and its answer is kept from the page
      await attack.setContent(
        `<form method="post" enctype="text/plain" action="${approve}"><input name='${body.slice(0, -1)},"x":"' value='"}'></form>`,
      );
      const [navigated] = await Promise.all([
        attack.waitForResponse(approve),
        attack.evaluate('document.forms[0].submit()'),
      ]);
      expect(await navigated.request().allHeaders()).not.toHaveProperty('cookie'); // SameSite=Strict
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.every((status) => status >= 400 && status < 500)).toBe(true);
      expect((await bank.show(id)).body).toMatchObject({ status: 'pending', claims: null });
      await press(page, 'Autorizar y entregar'); // nothing was used up
      await page.getByRole('heading', { name: 'Datos entregados' }).waitFor();
      await evil.close();
    });
  },
);

/** A page of another site: browsers take localhost and 127.0.0.1 for two. */
async function otherSite(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = http.createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Premio</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
