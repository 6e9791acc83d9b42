import type { TestStack } from '@constancia/testing';
import { eventually } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH } from '../../apps/console/src/text/english.ts';
import { SPANISH } from '../../apps/console/src/text/spanish.ts';
import {
  CONSOLE_TEXTS as TEXTS,
  consoleProblems,
  loaded,
  loginLink as loginLinkOf,
  tabTo,
} from './console-visit.fixture.ts';
import { CODE, codeIn, mailTo } from '../web/mailbox-reader.ts';
import { type Integrator, inStore, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';

type Locale = 'es-CO' | 'en';

const installed = browserInstalled('tools/e2e/console-browser.full.e2e.spec.ts');

describe.skipIf(!installed)('the console in a browser', () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startDeployment({
        env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000' },
        apps: ['platform', 'compliance', 'signing'],
      }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const open = (viewport: ViewportName, locale: Locale) =>
    WatchedPage.open(browser, { viewport, locale, origin: stack.consoleUrl });

  const problemsOf = (watched: WatchedPage): Promise<string[]> => consoleProblems(stack, watched, [401, 404]);

  /** From any screen to the member's own. */
  async function openAccount(page: Page, text: typeof ENGLISH): Promise<void> {
    await page.locator('.member').click();
    await page.getByRole('heading', { level: 1, name: text.account.title }).waitFor();
    await page.getByText(text.sessions.current, { exact: true }).waitFor();
  }

  const newestCode = async (address: string): Promise<string> => codeIn(await mailTo(stack, address, CODE));

  const loginLink = ({ tenantId, ownerEmail }: Integrator): Promise<string> => loginLinkOf(stack, tenantId, ownerEmail);

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)(
    'a member signs in by keyboard alone with a mailed code and signs out (%s, %s)',
    async (viewport, locale) => {
      const text = TEXTS[locale];
      const owner = await signUp(stack);
      const watched = await open(viewport, locale);
      const { page } = watched;
      await page.goto(stack.consoleUrl);
      await page.getByRole('heading', { name: text.signIn.title }).waitFor();
      expect(page.url()).toBe(`${stack.consoleUrl}/login`);
      await watched.screen('console-1-address');
      await page.getByLabel(text.signIn.email).focus();
      await page.keyboard.type(owner.ownerEmail);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: text.signIn.codeTitle }).waitFor();
      const code = await newestCode(owner.ownerEmail);
      await page.locator('#code:focus').waitFor();
      await page.keyboard.type(code === '000000' ? '111111' : '000000');
      await page.keyboard.press('Enter');
      await page.getByText(text.signIn.wrong).waitFor();
      await watched.screen('console-2-wrong-code');
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
      await openAccount(page, text);
      expect(await page.locator('dl').first().innerText()).toContain(text.roles.owner);
      await watched.screen('console-3-account');
      expect(await page.title()).toBe(`${text.account.title} · Constancia`);
      expect(page.url()).toBe(`${stack.consoleUrl}/account`);
      const stored = 'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])';
      expect(await page.evaluate<string>(stored)).toBe('[[],[],""]');

      await page.reload();
      await page.getByText(text.sessions.current).waitFor();
      const signOut = page.getByRole('button', { name: text.account.signOut });
      for (let tabs = 0; tabs < 80 && !(await signOut.evaluate((button) => button.matches(':focus'))); tabs++)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText(text.signIn.news['signed-out']).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: text.signIn.title }).waitFor();
      expect(await problemsOf(watched)).toEqual([]);
    },
  );

  it('a login link signs in once, on a press, and leaves no token in the address', async () => {
    const link = await loginLink(await signUp(stack));
    const [first, second] = [await open('phone', 'en'), await open('phone', 'en')];
    await first.page.goto(link);
    await first.page.getByRole('heading', { name: ENGLISH.link.title }).waitFor();
    expect(first.page.url()).toBe(`${stack.consoleUrl}/login`);
    await first.screen('console-4-link');
    await first.page.getByRole('button', { name: ENGLISH.link.submit, exact: true }).click();
    await openAccount(first.page, ENGLISH);
    await second.page.goto(link);
    await second.page.getByRole('button', { name: ENGLISH.link.submit, exact: true }).click();
    await second.page.getByText(ENGLISH.link.spent).waitFor();
    await second.screen('console-5-spent-link');
    expect([...(await problemsOf(first)), ...(await problemsOf(second))]).toEqual([]);
  });

  it('the link of an invitation leads a new member, on a press, to the sign-in and into the console', async () => {
    const { platform, tenantId } = await signUp(stack);
    const email = `invited-${tenantId}@canary.example`;
    const { response } = await platform.POST('/v1/members', { body: { email, name: 'Ana Ruiz', role: 'auditor' } });
    expect(response.status).toBe(201);
    const mail = await mailTo(stack, email, /\/invitation#token=inv_/);
    const link = /\S+\/invitation#token=inv_\w{43}/.exec(mail.text)?.[0] ?? 'no link';
    const watched = await open('phone', 'es-CO');
    const { page } = watched;
    await page.goto(link);
    await page.getByRole('heading', { name: SPANISH.link.invitedTitle }).waitFor();
    expect(page.url()).toBe(`${stack.consoleUrl}/invitation`);
    await page
      .getByText(SPANISH.link.invitedLeadOf('Cooperativa de Prueba', SPANISH.roles.auditor as string, email))
      .waitFor();
    await watched.screen('console-8-invitation');
    await page.getByRole('button', { name: SPANISH.link.accept, exact: true }).click();
    await openAccount(page, SPANISH);
    expect(await page.locator('dl').first().innerText()).toMatch(new RegExp(`Ana Ruiz[^]*${SPANISH.roles.auditor}`));
    expect(await problemsOf(watched)).toEqual([]);
  });

  it('a member of two tenants chooses between them once the code is right', async () => {
    const [first, second] = [await signUp(stack), await signUp(stack)];
    const email = first.ownerEmail;
    await second.platform.POST('/v1/members', { body: { email, name: 'Ana Ruiz', role: 'auditor' } });
    const named = `with joined as (update platform.member set status = 'active' where tenant_id = $1 and email = $2)
      update platform.tenant set display_name = 'Notaría Segunda' where id = $1`;
    await inStore(stack, named, [second.tenantId, email]);
    const watched = await open('desktop', 'en');
    const { page } = watched;
    await page.goto(`${stack.consoleUrl}/login`);
    await page.getByLabel(ENGLISH.signIn.email).fill(email);
    await page.getByRole('button', { name: ENGLISH.signIn.send }).click();
    await page.getByRole('heading', { name: ENGLISH.signIn.codeTitle }).waitFor();
    await page.getByLabel(ENGLISH.signIn.code).fill(await newestCode(email));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: ENGLISH.signIn.choose }).waitFor();
    await page.getByRole('button', { name: 'Cooperativa de Prueba' }).waitFor();
    await watched.screen('console-9-choose');
    await page.getByRole('button', { name: 'Notaría Segunda' }).click();
    await openAccount(page, ENGLISH);
    expect(await page.locator('dl').first().innerText()).toMatch(
      new RegExp(`${ENGLISH.roles.auditor}[^]*Notaría Segunda`),
    );
    expect(await problemsOf(watched)).toEqual([]);
  });

  it('a member ends the session of another browser, which then has to sign in again', async () => {
    const owner = await signUp(stack);
    const [here, there] = [await open('desktop', 'en'), await open('desktop', 'en')];
    for (const { page } of [there, here]) {
      await page.goto(await loginLink(owner));
      await page.getByRole('button', { name: ENGLISH.link.submit, exact: true }).click();
      await openAccount(page, ENGLISH);
    }
    const rows = here.page.locator('.records-body [role="row"]');
    await eventually(async () => expect(await rows.count()).toBe(2));
    await rows.filter({ hasNotText: ENGLISH.sessions.current }).getByRole('button').click();
    await eventually(async () => expect(await rows.count()).toBe(1));
    await there.page.reload();
    await there.page.getByRole('heading', { name: ENGLISH.signIn.title }).waitFor();
    expect([...(await problemsOf(here)), ...(await problemsOf(there))]).toEqual([]);
  });

  it('says that the server does not answer, and goes on once it does', async () => {
    const owner = await signUp(stack);
    const { page, context } = await open('phone', 'es-CO');
    await page.goto(`${stack.consoleUrl}/login`);
    await page.getByLabel(SPANISH.signIn.email).fill(owner.ownerEmail);
    await context.setOffline(true);
    await page.getByRole('button', { name: SPANISH.signIn.send }).click();
    await page.getByText(SPANISH.unreachable).waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: SPANISH.signIn.send }).click();
    await page.getByRole('heading', { name: SPANISH.signIn.codeTitle }).waitFor();
    await context.close();
  });

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)('a member adds a passkey and signs in with it, without an address (%s, %s)', async (viewport, locale) => {
    const text = TEXTS[locale];
    const watched = await open(viewport, locale);
    const { page, context } = watched;
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(await loginLink(await signUp(stack)));
    await page.getByRole('button', { name: text.link.submit, exact: true }).click();
    await openAccount(page, text);
    await page.getByLabel(text.passkeys.name).fill('Llave 1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: text.passkeys.removeOf('Llave 1') }).waitFor();
    await page.getByRole('button', { name: text.passkeys.renameOf('Llave 1') }).click();
    await page.getByRole('textbox', { name: text.passkeys.name }).fill('Llave 2');
    await watched.screen('console-6-rename-passkey');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: text.passkeys.removeOf('Llave 2') }).waitFor();
    await watched.screen('console-6-passkeys');
    await page.getByRole('button', { name: text.account.signOut }).click();
    await page.getByRole('button', { name: text.passkeys.signIn }).focus();
    await page.keyboard.press('Enter');
    await openAccount(page, text);
    await page.locator('.records-body').getByText(text.methods.passkey, { exact: true }).waitFor();
    await page.getByRole('button', { name: text.passkeys.removeOf('Llave 2') }).click();
    await page.getByText(text.signIn.news.ended).waitFor();
    await page.getByRole('button', { name: text.passkeys.signIn }).click();
    await page.getByText(text.passkeys.refused).waitFor();
    await watched.screen('console-7-passkey-refused');
    expect(await problemsOf(watched)).toEqual([]);
  });

  it('a page of another origin can neither read the session, nor end it, nor get a token, nor call the API', async () => {
    const watched = await open('desktop', 'en');
    const { page } = watched;
    await page.goto(await loginLink(await signUp(stack)));
    await page.getByRole('button', { name: ENGLISH.link.submit, exact: true }).click();
    await openAccount(page, ENGLISH);
    // Another port is another origin of the same site: its requests carry the cookie.
    const other = await watched.context.newPage();
    await other.goto(`${stack.signingUrl.replace('127.0.0.1', 'localhost')}/docs`);
    const attempt = (url: string, method: string) =>
      other.evaluate<string>(
        `fetch(${JSON.stringify(url)}, {method: ${JSON.stringify(method)}, credentials: 'include', mode: 'cors'})
           .then((answer) => 'read ' + answer.status, () => 'refused')`,
      );
    const blind = (url: string, method: string) =>
      other.evaluate<string>(
        `fetch(${JSON.stringify(url)}, {method: ${JSON.stringify(method)}, credentials: 'include', mode: 'no-cors'})
           .then((answer) => answer.type, () => 'refused')`,
      );
    const session = `${stack.consoleUrl}/console/session`;
    expect(await attempt(session, 'GET')).toBe('refused');
    expect(await attempt(`${session}/token`, 'POST')).toBe('refused');
    expect(await attempt(session, 'DELETE')).toBe('refused');
    expect(await attempt(`${stack.baseUrl}/v1/member-sessions`, 'GET')).toBe('refused');
    await blind(`${session}/token`, 'POST');
    await page.reload();
    await page.getByText(ENGLISH.sessions.current).waitFor();
    await watched.context.close();
  });

  it('a cookie that another page planted is not taken: signing in gives a new one', async () => {
    const watched = await open('desktop', 'en');
    const planted = 'A'.repeat(43);
    await watched.context.addCookies([{ name: 'constancia_console', value: planted, url: stack.consoleUrl }]);
    await watched.page.goto(await loginLink(await signUp(stack)));
    await watched.page.getByRole('button', { name: ENGLISH.link.submit, exact: true }).click();
    await openAccount(watched.page, ENGLISH);
    const cookies = await watched.context.cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
      ['constancia_console', true, 'Strict'],
    ]);
    expect(cookies[0]?.value).not.toBe(planted);
    await watched.context.close();
  });

  it('signing out ends the member token on the three API hosts within a second', async () => {
    const watched = await open('desktop', 'en');
    const { page } = watched;
    const sent = page.waitForRequest((request) => request.url().includes('/v1/member-sessions'));
    await page.goto(await loginLink(await signUp(stack)));
    await page.getByRole('button', { name: ENGLISH.link.submit, exact: true }).click();
    await openAccount(page, ENGLISH);
    const { authorization = '' } = await (await sent).allHeaders();
    expect(authorization).toMatch(/^Bearer mbt_/);
    const addresses = [
      `${stack.baseUrl}/v1/billing/balance`,
      `${stack.complianceUrl}/v1/cases`,
      `${stack.signingUrl}/v1/templates`,
    ];
    const statuses = () =>
      Promise.all(addresses.map(async (url) => (await fetch(url, { headers: { authorization } })).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await page.getByRole('button', { name: ENGLISH.account.signOut }).click();
    await page.getByText(ENGLISH.signIn.news['signed-out']).waitFor();
    await page.goto(new URL('/login', page.url()).href);
    await page.goto(new URL('/login#token=pasted', page.url()).href);
    await page.getByText(ENGLISH.link.lead).waitFor();
    await eventually(async () => expect(await statuses()).toEqual([401, 401, 401]), 1_000, 50);
    await watched.context.close();
  });

  it('every section is reached by keyboard alone, and its main dialog opens, closes and gives the focus back', async () => {
    const owner = await signUp(stack);
    const watched = await open('desktop', 'es-CO');
    const { page } = watched;
    await page.goto(await loginLink(owner));
    const text = SPANISH;
    await page.getByRole('button', { name: text.link.submit, exact: true }).waitFor();
    await tabTo(page, 'Tab', `element.textContent === ${JSON.stringify(text.link.submit)}`);
    await page.keyboard.press('Enter');
    await page.locator('h1:focus').waitFor();
    await page.getByText(text.zone, { exact: true }).waitFor();
    const withDialog: string[] = [];
    const sections = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.sections a')].map((link) => link.getAttribute('href'))`,
    );
    // Backwards: the last section is the nearest before what it shows.
    for (const to of sections.toReversed()) {
      await tabTo(page, 'Shift+Tab', `element.matches('.sections a') && element.getAttribute('href') === '${to}'`);
      await page.keyboard.press('Enter');
      await page.waitForURL(({ pathname }) => pathname === to);
      await page.locator('h1:focus').waitFor();
      await loaded(page);
      if (to.endsWith('/flows')) continue; // its button acts at once
      if ((await page.locator('.page-head button.primary').count()) === 0) continue;
      const main = `element === document.querySelector('.page-head button.primary')`;
      await tabTo(page, 'Tab', main);
      await page.keyboard.press('Enter');
      await page.locator('dialog:focus-within').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect(await page.evaluate<boolean>(`((element) => ${main})(document.activeElement)`), to).toBe(true);
      withDialog.push(to);
    }
    expect(sections.length).toBeGreaterThan(25);
    expect(withDialog.length).toBeGreaterThan(10);
    expect(await problemsOf(watched)).toEqual([]);
  });
});
