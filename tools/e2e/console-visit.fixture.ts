import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@constancia/contracts';
import type { TestStack } from '@constancia/testing';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { Browser, Locator, Page } from 'playwright-core';
import { ENGLISH } from '../../apps/console/src/text/english.ts';
import { SPANISH } from '../../apps/console/src/text/spanish.ts';
import { type Integrator, inStore } from './deployment.fixture.ts';

export type Locale = 'es-CO' | 'en';

/** What the console says, by language: a test presses what a person reads. */
export const CONSOLE_TEXTS = { 'es-CO': SPANISH, en: ENGLISH };

/** A link that signs a member in, once, as `npm start` prints one. */
export async function loginLink(stack: TestStack, tenantId: string, email: string): Promise<string> {
  const token = `lgn_${randomBytes(43).toString('hex').slice(0, 43)}`;
  const hash = createHash('sha256').update(token).digest();
  await inStore(stack, 'select platform.issue_login_link($1, $2, $3, 600)', [tenantId, email, hash]);
  return `${stack.consoleUrl}/login#token=${token}`;
}

/** An active member of the tenant with this role; answers their address. */
export async function memberWith(stack: TestStack, role: Role, { tenantId, platform }: Integrator): Promise<string> {
  const email = `${role}-${tenantId}@canary.example`;
  const { response } = await platform.POST('/v1/members', { body: { email, name: `Ana Ruiz (${role})`, role } });
  if (response.status !== 201) throw new Error(`the invitation was answered with ${response.status}`);
  await inStore(stack, `update platform.member set status = 'active' where tenant_id = $1 and email = $2`, [
    tenantId,
    email,
  ]);
  return email;
}

interface Visit {
  viewport: ViewportName;
  locale: Locale;
  /** Signs the visitor in. */
  link: string;
}

/** The console in a browser of its own, with the member signed in. */
export async function visitConsole(stack: TestStack, browser: Browser, visit: Visit): Promise<WatchedPage> {
  const { viewport, locale, link } = visit;
  const watched = await WatchedPage.open(browser, { viewport, locale, origin: stack.consoleUrl });
  const text = CONSOLE_TEXTS[locale];
  await watched.page.goto(link);
  await watched.page.getByRole('button', { name: text.link.submit, exact: true }).click();
  await watched.page.locator('.member').waitFor();
  return watched;
}

/** Opens a section by the navigation, as it is on this screen, and waits until it is loaded. */
export async function openSection(
  page: Page,
  text: typeof ENGLISH,
  section: keyof typeof ENGLISH.navigation.entries,
): Promise<void> {
  const menu = page.getByRole('button', { name: text.navigation.open, exact: true });
  if (await menu.isVisible()) await menu.click();
  const name = text.navigation.entries[section];
  await page.locator('.sections').getByRole('link', { name, exact: true }).click();
  const heading = page.getByRole('heading', { level: 1, name, exact: true });
  await heading.waitFor().catch(async (error: Error) => {
    const shown = await page.locator('main').innerText();
    throw new Error(`${name} was not opened: the page is at ${page.url()} and shows\n${shown}`, { cause: error });
  });
  await loaded(page);
}

/** Shows the filter of a list, which a narrow screen has behind a button. */
export async function openFilters(page: Page): Promise<void> {
  const toggle = page.locator('.filter-toggle');
  if (await toggle.isVisible()) await toggle.click();
}

export const loaded = (page: Page): Promise<void> =>
  page.locator('main .loading').first().waitFor({ state: 'detached' });

/** More presses than there are controls on any page. */
const MOST_PRESSES = 120;

/** Presses Tab or Shift+Tab until what has the focus is what is meant (an expression about `element`), and can be seen to have it. */
export async function tabTo(page: Page, key: 'Tab' | 'Shift+Tab', meant: string): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    await page.keyboard.press(key);
    const [found, seen] = await page.evaluate<[boolean, boolean]>(`((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return [${meant}, element.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2];
    })(document.activeElement)`);
    if (!found) continue;
    if (!seen) throw new Error(`nobody sees that the focus is where ${meant}`);
    return;
  }
  throw new Error(`the focus did not come where ${meant}`);
}

export const press = (on: Page | Locator, name: string): Promise<void> =>
  on.getByRole('button', { name, exact: true }).click();

/**
 * What the page did that it must not. Expected are its session's cookie, requests to the API hosts, and answers of the statuses that the
 * test provokes.
 */
export async function consoleProblems(
  stack: TestStack,
  watched: WatchedPage,
  refusals: readonly number[] = [],
): Promise<string[]> {
  await watched.close();
  const cookie = [`a cookie from ${stack.consoleUrl}/console/session`, 'cookies: constancia_console'];
  const expected = [
    ...[stack.baseUrl, stack.complianceUrl, stack.signingUrl].map((url) => `a request off the origin: ${url}/`),
    ...refusals.map(
      (status) => `console error: Failed to load resource: the server responded with a status of ${status} `,
    ),
  ];
  return watched.problems.filter(
    (problem) => !cookie.includes(problem) && !expected.some((begin) => problem.startsWith(begin)),
  );
}
