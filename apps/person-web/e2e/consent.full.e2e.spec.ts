import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureServer, startCaptureServer } from '../dev/capture-server.ts';
import { CONSENT_CODE, type ConsentFixture, type ConsentSetup } from '../dev/consents.ts';
import { ENGLISH } from '../src/consent/text/english.ts';
import type { Messages } from '../src/consent/text/messages.ts';
import { SPANISH } from '../src/consent/text/spanish.ts';
import { unexpected } from './person.ts';
import { addPasskeys } from './virtual-authenticator.ts';

const TEXTS: Record<'es-CO' | 'en', Messages> = { 'es-CO': SPANISH, en: ENGLISH };
const TENANT = 'Banco del Páramo';
const EMAIL = 'ana@correo.example';
const REQUIRED = ['document_type', 'document_country', 'full_name', 'document_number'];

interface Visit {
  watched: WatchedPage;
  page: Page;
  consent: ConsentFixture;
  text: Messages;
  press: (name: string) => Promise<void>;
  heading: (title: string) => Promise<void>;
  /** Shows by a code whose the wallet is. */
  giveCode: () => Promise<void>;
  /** The same, of a request that can be approved. */
  prove: () => Promise<void>;
  /** Closes the page, which must have behaved. */
  close: () => Promise<void>;
}

interface VisitOptions extends ConsentSetup {
  viewport?: ViewportName;
  locale?: 'es-CO' | 'en';
  /** A link that is there. */
  consent?: ConsentFixture;
  origin?: string;
}

describe.skipIf(!browserInstalled('The page of a request'))('the page of a request', () => {
  let server: CaptureServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startCaptureServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function visit({ viewport = 'phone', locale = 'es-CO', origin = server.url, ...setup }: VisitOptions = {}) {
    const consent = setup.consent ?? server.consents.add(setup);
    const text = TEXTS[locale];
    const options = { viewport, locale, origin, secret: consent.token, cookie: 'constancia_consent' };
    const watched = await WatchedPage.open(browser, options);
    const { page } = watched;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const heading = (title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.goto(`${origin}/consent/${consent.token}`);
    const giveCode = async (): Promise<void> => {
      await page.getByLabel(text.identify.address).fill(EMAIL);
      await press(text.identify.send);
      await page.getByLabel(text.code.code).fill(CONSENT_CODE);
      await press(text.code.submit);
    };
    const visit: Visit = {
      ...{ watched, page, consent, text, press, heading, giveCode },
      prove: async () => {
        await giveCode();
        await heading(text.decide.title(TENANT));
      },
      close: async () => {
        await watched.close();
        expect(unexpected({ watched })).toEqual([]);
      },
    };
    return visit;
  }
  const shown = (page: Page): Promise<string> => page.locator('main').innerText();

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)(
    'on a %s in %s: says who asks for what, shows values masked after the code, and gives what was chosen',
    async (viewport, locale) => {
      const one = await visit({ viewport, locale, redirectTo: 'https://bank.example/done' });
      const { page, consent, text, press, heading, watched } = one;
      await heading(text.request.title(TENANT));
      await page.getByText('Abrir una cuenta de ahorros').waitFor();
      expect(await shown(page)).not.toMatch(/6153|1988|Ceiba/);
      await watched.screen('consent-1-request');
      await press(text.identify.send);
      await page.getByText(text.identify.addressFault).waitFor();
      await page.getByLabel(text.identify.address).fill(EMAIL);
      await press(text.identify.send);
      await page.getByLabel(text.code.code).fill('000 000');
      await press(text.code.submit);
      await page.getByText(text.code.wrong).waitFor();
      await watched.screen('consent-2-code');
      await page.getByLabel(text.code.code).fill(CONSENT_CODE);
      await press(text.code.submit);
      await heading(text.decide.title(TENANT));
      await page.getByText('••••••6153').waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(1); // what is required cannot be left out
      expect(await page.getByRole('checkbox').isChecked()).toBe(false);
      await watched.screen('consent-3-decide');
      if (viewport === 'desktop') await page.getByRole('checkbox').check({ force: true });
      await press(text.decide.approve);
      await heading(text.end.approved);
      await watched.screen('consent-4-approved');
      expect(await page.getByRole('link', { name: text.end.back(TENANT) }).getAttribute('href')).toBe(
        consent.redirectTo,
      );
      const chosen = viewport === 'desktop' ? [...REQUIRED, 'birth_date'] : REQUIRED;
      expect(consent.ended).toMatchObject({ how: 'approved', body: { claims: chosen, locale, version: '2026-11-26' } });
      await one.close();
    },
  );

  it('gives nothing by the link alone, nor to another browser than that of the code', async () => {
    const one = await visit();
    await one.prove();
    const other = await visit({ consent: one.consent });
    await other.heading(other.text.request.title(TENANT));
    expect(await shown(other.page)).not.toMatch(/6153|1988|Ceiba/);
    expect(await other.page.getByRole('button', { name: other.text.decide.approve }).count()).toBe(0);
    await one.page.reload(); // the same browser goes on where it was
    await one.heading(one.text.decide.title(TENANT));
    await one.press(one.text.decide.approve);
    await one.heading(one.text.end.approved);
    await other.page.getByLabel(other.text.identify.address).fill(EMAIL);
    await other.press(other.text.identify.send);
    await other.heading(other.text.gone.title);
    await one.close();
    await other.close();
  });

  it('shows the same for a link that is unknown, used, expired, or no link at all', async () => {
    const used = server.consents.add();
    used.ended = { how: 'approved', body: {} };
    const expired = server.consents.add({ seconds: -1 });
    const screens = [];
    for (const token of ['A'.repeat(43), used.token, expired.token, 'short']) {
      const one = await visit({ consent: { ...used, token } });
      await one.heading(one.text.gone.title);
      screens.push(await one.page.locator('body').innerHTML());
      if (token === used.token) await one.watched.screen('consent-5-gone');
      await one.close();
    }
    expect(new Set(screens).size).toBe(1);
    const short = await visit({ seconds: 4 }); // expires while it is shown
    await short.heading(short.text.gone.title);
    expect(await short.page.locator('body').innerHTML()).toBe(screens[0]);
    await short.close();
  });

  it('takes a passkey instead of the code', async () => {
    const origin = server.url.replace('127.0.0.1', 'localhost');
    const one = await visit({ origin, methods: ['otp', 'passkey'], viewport: 'desktop' });
    await addPasskeys(one.page, ['localhost']);
    await one.press(one.text.identify.passkey);
    await one.heading(one.text.decide.title(TENANT));
    await one.press(one.text.decide.approve);
    await one.heading(one.text.end.approved);
    await one.close();
  });

  it('ends without giving anything: the company learns of it only if the person ticks that, and of a report never', async () => {
    const early = await visit();
    await early.press(early.text.decline.open);
    await early.heading(early.text.decline.title);
    expect(await early.page.getByRole('checkbox').count()).toBe(0); // nobody has shown that there is a person
    await early.press(early.text.decline.cancel);
    await early.press(early.text.decline.open);
    await early.press(early.text.decline.submit);
    await early.heading(early.text.end.declined);
    expect(early.consent.ended).toMatchObject({ how: 'declined', body: { tell_tenant: false } });
    await early.close();

    const told = await visit();
    await told.prove();
    await told.press(told.text.decline.open);
    const box = told.page.getByLabel(told.text.decline.tell(TENANT));
    expect(await box.isChecked()).toBe(false);
    await told.watched.screen('consent-6-decline');
    await box.check({ force: true });
    await told.press(told.text.decline.submit);
    await told.heading(told.text.end.declined);
    expect(told.consent.ended).toMatchObject({ how: 'declined', body: { tell_tenant: true } });
    await told.close();

    const report = await visit();
    await report.press(report.text.report.open);
    await report.heading(report.text.report.title);
    await report.watched.screen('consent-7-report');
    await report.press(report.text.report.submit);
    await report.heading(report.text.end.reported);
    expect(report.consent.ended).toMatchObject({ how: 'reported' });
    await report.close();
  });

  it('says why it cannot be answered, changes its language, and can be used by the keyboard alone', async () => {
    const one = await visit({ obstacle: 'too_old' });
    await one.giveCode();
    await one.heading(one.text.request.title(TENANT));
    await one.page.getByText(one.text.decide.obstacles.too_old).waitFor();
    expect(await one.page.getByRole('button', { name: one.text.decide.approve }).count()).toBe(0);
    await one.watched.screen('consent-8-obstacle');
    await one.close();

    const typed = await visit({ address: 'registered' });
    const { page, consent } = typed;
    await typed.heading(typed.text.request.title(TENANT));
    await page.getByRole('button', { name: 'English' }).focus();
    await page.keyboard.press('Enter');
    await typed.heading(ENGLISH.request.title(TENANT));
    await page.getByText('date of birth').waitFor(); // of the server, in the language of the page
    for (const name of [ENGLISH.identify.send, ENGLISH.code.submit, ENGLISH.decide.approve]) {
      const button = page.getByRole('button', { name, exact: true });
      await button.waitFor();
      if (name === ENGLISH.code.submit) await page.keyboard.type(CONSENT_CODE); // the focus is in the box already
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    }
    await typed.heading(ENGLISH.end.approved);
    expect(consent.ended).toMatchObject({ body: { locale: 'en' } });
    await typed.close();
  });

  it('is in no frame, and says so when there is no connection', async () => {
    const consent = server.consents.add();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('https://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${server.url}/consent/${consent.token}"></iframe>`,
      }),
    );
    await page.goto('https://evil.example/');
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    await context.close();
    consent.mode = 'down';
    const one = await visit({ consent });
    await one.page.getByText(one.text.lost).waitFor();
    consent.mode = 'well';
    await one.press(one.text.again);
    await one.heading(one.text.request.title(TENANT));
    await one.close();
  });
});

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    const at = await page.evaluate<string | null>('document.activeElement?.textContent');
    if (at === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${name}`);
}
