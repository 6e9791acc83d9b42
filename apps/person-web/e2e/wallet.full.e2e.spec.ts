import fs from 'node:fs';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureServer, startCaptureServer } from '../dev/capture-server.ts';
import { KEEP_CODE } from '../dev/keep-answers.ts';
import { CREDENTIAL, exportOf, OFFER, WALLET_CODE, type WalletFixture, type WalletSetup } from '../dev/wallets.ts';
import { SPANISH as CAPTURE } from '../src/text/spanish.ts';
import { ENGLISH } from '../src/wallet/text/english.ts';
import type { Messages } from '../src/wallet/text/messages.ts';
import { SPANISH } from '../src/wallet/text/spanish.ts';
import { unexpected } from './person.ts';
import { addPasskeys } from './virtual-authenticator.ts';

const TEXTS: Record<'es-CO' | 'en', Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** A person with a wallet, at its page. */
interface Visit {
  watched: WatchedPage;
  page: Page;
  wallet: WalletFixture;
  text: Messages;
  press: (name: string) => Promise<void>;
  heading: (title: string) => Promise<void>;
  signIn: () => Promise<void>;
  /** Closes the page, which must have behaved. */
  close: () => Promise<void>;
}

describe.skipIf(!browserInstalled('The page of a wallet'))('the page of a wallet', () => {
  let server: CaptureServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startCaptureServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function visit(
    setup: WalletSetup = {},
    viewport: ViewportName = 'phone',
    locale: 'es-CO' | 'en' = 'es-CO',
  ): Promise<Visit> {
    const wallet = server.wallets.add(setup);
    const text = TEXTS[locale];
    const watched = await WatchedPage.open(browser, { viewport, locale, origin: server.url, secret: wallet.token });
    const { page } = watched;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const heading = (title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.goto(`${server.url}/wallet`);
    return {
      ...{ watched, page, wallet, text, press, heading },
      signIn: async () => {
        await page.getByLabel(text.signIn.address).fill(wallet.email);
        await press(text.signIn.send);
        await page.getByLabel(text.signIn.code).fill(WALLET_CODE);
        await press(text.signIn.submit);
        await heading(text.mine.title);
        await page.getByRole('heading', { level: 3 }).first().waitFor(); // what is kept, which has to be loaded
      },
      close: async () => {
        await watched.close();
        expect(unexpected({ watched })).toEqual([]);
      },
    };
  }

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)(
    'on a %s in %s: signs in by the mailed code, shows everything, saves it, takes requests, and erases it in two steps',
    async (viewport, locale) => {
      const one = await visit({ credentials: [{ ...CREDENTIAL }] }, viewport, locale);
      const { page, wallet, text, press, heading, watched } = one;
      await heading(text.signIn.title);
      await press(text.signIn.send);
      await page.getByText(text.signIn.addressFault).waitFor();
      await watched.screen('wallet-1-address');
      await page.getByLabel(text.signIn.address).fill(wallet.email);
      await press(text.signIn.send);
      await page.getByLabel(text.signIn.code).fill('000 000');
      await press(text.signIn.submit);
      await page.getByText(text.signIn.wrong).waitFor();
      await watched.screen('wallet-2-code');
      await page.getByLabel(text.signIn.code).fill(WALLET_CODE);
      await press(text.signIn.submit);
      await heading(text.mine.title);

      const all = exportOf(wallet);
      for (const { verified_for, document_number } of all.verifications) {
        await page.getByRole('heading', { level: 3, name: text.mine.verification(verified_for) }).waitFor();
        await page.getByText(document_number).first().waitFor();
      }
      for (const [n, receipt] of all.consents.entries()) {
        await page.locator('summary').nth(n).click();
        await page.getByText(receipt.text).waitFor();
        await page.getByText(receipt.text_sha256).nth(n).waitFor();
      }
      await watched.screen('wallet-3-mine');
      await press(text.receipts.withdrawFrom(all.consents[0]?.shared?.with ?? ''));
      await page.getByText(text.receipts.withdrawnAt).waitFor();
      expect(wallet.revokedAt).not.toBeNull();
      await page.getByRole('button', { name: /^(Revocar la credencial|Revoke the credential)/ }).click();
      await page.getByText(text.devices.states.revoked, { exact: true }).waitFor();
      expect(wallet.credentials[0]?.status).toBe('revoked');

      // None is valid any more, as after a recovery: a wallet app gets another one.
      await page.getByText(text.devices.allOver).waitFor();
      const { offer } = text.devices;
      await press(offer.create);
      await page.getByRole('img', { name: offer.picture }).waitFor();
      await page.getByText(offer.code('x***@c***.example')).waitFor();
      expect(await page.getByRole('link', { name: offer.here }).getAttribute('href')).toBe(OFFER.offer_link);
      await press(offer.copy);
      await page.locator('.notice', { hasText: offer.copied }).waitFor();
      await watched.screen('wallet-3-offer');
      await press(offer.done);
      await page.locator('.notice', { hasText: offer.notYet }).waitFor();
      wallet.issued.push({
        ...CREDENTIAL,
        id: 'wcr_01m7z6fvqcergtyhm27t5fxcy7',
        issued_at: '2026-11-26T14:10:00.000Z',
      });
      await press(offer.done);
      await page.getByText(text.devices.states.valid, { exact: true }).waitFor();
      expect(await page.getByText(text.devices.allOver).count()).toBe(0);
      expect(await page.getByText(OFFER.offer_link).count()).toBe(0);

      await page.getByLabel(text.discoverable.tick).click({ force: true });
      await expect.poll(() => wallet.discoverable).toBe(true);
      const downloading = page.waitForEvent('download');
      await press(text.mine.download);
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(text.mine.fileName('2026-11-26'));
      const saved = JSON.parse(fs.readFileSync(await download.path(), 'utf8')) as object;
      expect(saved).toEqual({ ...exportOf(wallet), discoverable: true });

      await press(text.erase.open);
      await press(text.erase.submit);
      await page.getByText(text.erase.missing).waitFor();
      expect(wallet.erased).toBe(false);
      await watched.screen('wallet-4-erase');
      await page.getByLabel(text.erase.understood).check({ force: true });
      await press(text.erase.submit);
      await heading(text.erased.title);
      expect(wallet.erased).toBe(true);
      await watched.screen('wallet-5-erased');
      expect(await page.locator('main').innerText()).not.toContain(all.verifications[0]?.document_number);
      await one.close();
    },
  );

  it('keeps who is signed in in its memory alone: after a reload, and once it was left, the person signs in again', async () => {
    const one = await visit();
    const { page, wallet, text, press, heading } = one;
    await one.signIn();
    const left = await page.evaluate<string>(
      `Promise.all([caches.keys(), indexedDB.databases()]).then((all) => JSON.stringify([all, localStorage.length, sessionStorage.length, document.cookie]))`,
    );
    expect(JSON.parse(left)).toEqual([[[], []], 0, 0, '']);
    await page.reload();
    await heading(text.signIn.title);
    await expect.poll(() => wallet.signedIn).toBe(false); // its session was ended as the page was left
    await one.signIn();
    await page.goto('about:blank');
    await page.goBack();
    await heading(text.signIn.title);
    await expect.poll(() => wallet.signedIn).toBe(false);
    await one.signIn();
    await press(text.mine.signOut);
    await page.getByText(text.signIn.news.signedOut).waitFor();
    await expect.poll(() => wallet.signedIn).toBe(false);
    await one.close();
  });

  it('shows nothing any more once the session is over, whether the time is up or the server says so', async () => {
    const over = await visit();
    await over.page.clock.install();
    await over.signIn();
    await over.page.clock.fastForward(over.wallet.sessionSeconds * 1_000);
    await over.page.getByText(over.text.signIn.news.ended).waitFor();
    await over.close();
    const ended = await visit();
    await ended.signIn();
    ended.wallet.signedIn = false;
    await ended.press(ended.text.mine.download);
    await ended.page.getByText(ended.text.signIn.news.ended).waitFor();
    await ended.close();
  });

  it('says what is known where an answer is missing, also of an erasure', async () => {
    const one = await visit();
    const { page, wallet, text, press } = one;
    await one.signIn();
    wallet.mode = 'down';
    await press(text.mine.download);
    await page.getByText(text.lost).waitFor();
    await page.getByLabel(text.discoverable.tick).click({ force: true });
    await expect.poll(() => page.getByText(text.lost).count()).toBe(2);
    expect(await page.getByLabel(text.discoverable.tick).isChecked()).toBe(false); // as the server has it
    wallet.mode = 'lost';
    await press(text.erase.open);
    await page.getByLabel(text.erase.understood).check({ force: true });
    await press(text.erase.submit);
    await expect.poll(() => wallet.erased).toBe(true);
    // Some browsers send a request without an answer again by themselves.
    const news = page.getByText(text.signIn.news.erasing);
    await news.or(page.getByText(text.lost).nth(2)).waitFor();
    if (!(await news.isVisible())) await press(text.erase.submit);
    await news.waitFor();
    await one.close();
  });

  it('says the same of an address without a wallet, and how long to wait after five wrong codes', async () => {
    const stranger = await visit();
    await stranger.page.getByLabel(stranger.text.signIn.address).fill('nobody@correo.example');
    await stranger.press(stranger.text.signIn.send);
    await stranger.heading(stranger.text.signIn.codeTitle);
    await stranger.page.getByLabel(stranger.text.signIn.code).fill(WALLET_CODE);
    await stranger.press(stranger.text.signIn.submit);
    await stranger.page.getByText(stranger.text.signIn.wrong).waitFor();
    await stranger.close();
    const locked = await visit({ locked: true });
    await locked.page.getByLabel(locked.text.signIn.address).fill(locked.wallet.email);
    await locked.press(locked.text.signIn.send);
    await locked.page.getByLabel(locked.text.signIn.code).fill(WALLET_CODE);
    await locked.press(locked.text.signIn.submit);
    await locked.page.getByText(locked.text.tooMany(15)).waitFor();
    await locked.close();
  });

  it('adds a passkey, signs in with it without an address, and removes it; says why where there are none', async () => {
    const one = await visit();
    await one.press(one.text.passkeys.signIn); // browsers have none for an address of numbers
    await one.page.getByText(one.text.passkeys.failures.unsupported).waitFor();
    await one.close();
    const origin = server.url.replace('127.0.0.1', 'localhost');
    const wallet = server.wallets.add();
    const options = { viewport: 'phone', locale: 'es-CO', origin, secret: wallet.token } as const;
    const watched = await WatchedPage.open(browser, options);
    const { page } = watched;
    await addPasskeys(page);
    const { passkeys, signIn, mine } = SPANISH;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(`${origin}/wallet`);
    await page.getByLabel(signIn.address).fill(wallet.email);
    await press(signIn.send);
    await page.getByLabel(signIn.code).fill(WALLET_CODE);
    await press(signIn.submit);
    await press(passkeys.add);
    await page.getByText(passkeys.noName).waitFor();
    await page.getByLabel(passkeys.name).fill('Mi celular');
    await press(passkeys.add);
    await page.getByRole('heading', { level: 3, name: 'Mi celular' }).waitFor();
    await watched.screen('wallet-6-passkeys');
    await press(mine.signOut);
    await expect.poll(() => wallet.signedIn).toBe(false);
    await press(passkeys.signIn);
    await press(passkeys.removeOf('Mi celular'));
    await expect.poll(() => page.getByRole('heading', { level: 3, name: 'Mi celular' }).count()).toBe(0);
    expect(wallet.passkeys.size).toBe(0);
    await watched.close();
    expect(unexpected({ watched })).toEqual([]);
  });

  it('is where the capture page leads to, once a verification is kept', async () => {
    const { link, token } = server.add({ status: 'completed', result: 'verified' });
    const options = { viewport: 'phone', locale: 'es-CO', origin: server.url, secret: token } as const;
    const watched = await WatchedPage.open(browser, options);
    const { page } = watched;
    await page.goto(link);
    await page.getByLabel(CAPTURE.keep.tick).check({ force: true });
    await page.getByLabel(CAPTURE.keep.address).fill('xiomara@correo.example');
    await page.getByRole('button', { name: CAPTURE.keep.submit }).click();
    await page.getByLabel(CAPTURE.keep.code, { exact: true }).fill(KEEP_CODE);
    await page.getByRole('button', { name: CAPTURE.keep.confirm }).click();
    await page.getByText(CAPTURE.keep.confirmed).waitFor();
    await watched.screen('wallet-0-kept');
    await page.getByRole('link', { name: '/wallet' }).click();
    await page.getByRole('heading', { level: 1, name: SPANISH.signIn.title }).waitFor();
    await watched.close();
    expect(unexpected({ watched })).toEqual([]);
  });
});
