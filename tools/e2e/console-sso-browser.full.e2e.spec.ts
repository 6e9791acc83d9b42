import { type OpenidProvider, startOpenidProvider } from '@constancia/dev-servers/openid-provider';
import { testMember, type TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH } from '../../apps/console/src/text/english.ts';
import { SPANISH } from '../../apps/console/src/text/spanish.ts';
import { inStore, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';

const TEXTS = { 'es-CO': SPANISH, en: ENGLISH };
const installed = browserInstalled('tools/e2e/console-sso-browser.full.e2e.spec.ts');

describe.skipIf(!installed)('single sign-on in a browser', () => {
  let stack: TestStack;
  let browser: Browser;
  let provider: OpenidProvider | undefined;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startDeployment({ env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000' }, apps: ['platform'] }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    await provider?.close();
  });

  /** The tenant's provider is on another site than the console: localhost and 127.0.0.1. */
  async function withProvider(): Promise<{ slug: string; provider: OpenidProvider }> {
    const { tenantId } = await signUp(stack);
    const [row] = (await inStore(stack, 'select slug from platform.tenant where id = $1', [tenantId])) as {
      slug: string;
    }[];
    const slug = (row as { slug: string }).slug;
    const owner = await testMember({ query: (sql, params) => inStore(stack, sql, params) as never }, tenantId, 'owner');
    const started = await startOpenidProvider({
      hostname: '127.0.0.1',
      redirectUris: [`${stack.consoleUrl}/console/sso/${slug}/callback`],
      accounts: [
        { id: 'ana', email: 'ana@banco.example', email_verified: true, name: 'Ana Ruiz', groups: ['analysts'] },
        { id: 'bob', email: 'bob@banco.example', email_verified: true, name: 'Bob Mora', groups: [] },
      ],
    });
    const response = await fetch(`${stack.baseUrl}/v1/sso`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ issuer: started.issuer, client_id: started.clientId, client_secret: started.clientSecret },
        ...{ domains: ['banco.example'], role_claim: 'groups', role_map: { analysts: 'analyst' }, enforce: true },
      }),
    });
    expect(response.status, await response.text()).toBe(200);
    return { slug, provider: started };
  }

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)(
    'a member is signed in after the way back from the provider, and a person without a role is told so (%s, %s)',
    async (viewport: ViewportName, locale) => {
      const text = TEXTS[locale];
      const { slug, provider: own } = await withProvider();
      provider = own;
      const watched = await WatchedPage.open(browser, { viewport, locale, origin: stack.consoleUrl });
      const { page } = watched;
      await page.goto(`${stack.consoleUrl}/login`);
      await page.getByRole('button', { name: text.sso.open }).click();
      await page.getByRole('heading', { name: text.sso.title }).waitFor();
      await watched.screen('console-sso-1-name');
      await page.getByLabel(text.sso.slug).fill(slug);
      await page.getByRole('button', { name: text.sso.submit }).click();
      await page.getByRole('button', { name: 'bob' }).click();
      await page.getByText(text.sso.failures.no_role).waitFor();
      expect(page.url()).toBe(`${stack.consoleUrl}/console/sso/${slug}`);
      await watched.screen('console-sso-2-no-role');
      await page.context().clearCookies();
      await page.getByRole('button', { name: text.sso.submit }).click();
      await page.getByRole('button', { name: 'ana' }).click();
      await page.getByRole('heading', { level: 1, name: text.navigation.entries.home }).waitFor();
      expect(page.url()).toBe(`${stack.consoleUrl}/home`);
      await page.locator('.member').click();
      await page.getByText('ana@banco.example').waitFor();
      const cookies = await page.context().cookies(stack.consoleUrl);
      expect(cookies.map(({ name, sameSite, httpOnly }) => ({ name, sameSite, httpOnly }))).toEqual([
        { name: 'constancia_console', sameSite: 'Strict', httpOnly: true },
      ]);
      await watched.screen('console-sso-3-account');
      await page.reload();
      await page.getByText('ana@banco.example').waitFor();
      await watched.close();
      expect(watched.problems.filter((problem) => /^console-sso-/.test(problem))).toEqual([]);
      await own.close();
      provider = undefined;
    },
    120_000,
  );
});
