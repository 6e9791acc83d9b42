import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { WORKSPACE } from '@constancia/bundling/workspace';

/** What people hold in their hands, or have before them. */
export const VIEWPORTS = {
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  landscape: { viewport: { width: 740, height: 360 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, hasTouch: false, isMobile: false },
} as const;
export type ViewportName = keyof typeof VIEWPORTS;

/** Git-ignored: screenshots are written for people to look at. */
export const SCREENS = path.join(WORKSPACE, 'dist/screens');
const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The browser says of every answer that is no success that a resource failed; pages get it, and show it in words. */
const EXPECTED_REFUSAL = /Failed to load resource: the server responded with a status of (404|409|422|429)/;

export interface WatchedOptions {
  viewport: ViewportName;
  locale: 'es-CO' | 'en';
  /** Nothing but this origin may be asked for anything. */
  origin: string;
  /** Must be in no Referer and in no storage of the browser. */
  secret?: string;
  /** The name of the one cookie that this page has: HttpOnly, SameSite=Strict, below a path of its own. */
  cookie?: string;
}

/** A page in a browser of its own, of which everything is noted that a person's page must never do. */
export class WatchedPage {
  /** In words; empty when the page behaved. */
  readonly problems: string[] = [];
  /** Addresses of everything that was asked for, in order. */
  readonly requests: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly options: WatchedOptions,
  ) {}

  static async open(browser: Browser, options: WatchedOptions): Promise<WatchedPage> {
    const context = await browser.newContext({
      ...VIEWPORTS[options.viewport],
      locale: options.locale,
      timezoneId: 'America/Bogota',
      acceptDownloads: true,
    });
    const watched = new WatchedPage(await context.newPage(), context, options);
    watched.watch();
    return watched;
  }

  private watch(): void {
    const { page, problems, requests } = this;
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      if (EXPECTED_REFUSAL.test(message.text()) && message.location().url.includes('/v1/')) return;
      problems.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
    page.on('request', (request) => {
      requests.push(request.url());
      this.judge(request);
    });
    page.on('response', (response) => {
      const set = response.headers()['set-cookie'];
      const { cookie } = this.options;
      if (set !== undefined && (cookie === undefined || !set.startsWith(`${cookie}=`)))
        problems.push(`a cookie from ${response.url()}`);
    });
  }

  private judge(request: Request): void {
    const { origin, secret } = this.options;
    const url = request.url();
    const own = url.startsWith(`${origin}/`) || url.startsWith(`blob:${origin}/`) || url.startsWith('data:');
    if (!own) this.problems.push(`a request off the origin: ${url}`);
    if (secret === undefined) return;
    request
      .allHeaders()
      .then(({ referer }) => {
        if (referer?.includes(secret)) this.problems.push(`the token is in the Referer of ${url}`);
      })
      .catch(() => undefined); // the page went away
  }

  /** What the page has left in the browser: nothing but the proof of a signer or its own cookie, which no script reads and no other link gets. */
  async lookForTraces(): Promise<void> {
    const cookies = await this.context.cookies();
    const unexpected = cookies.filter(
      ({ name, httpOnly, sameSite, path }) =>
        !(
          httpOnly &&
          sameSite === 'Strict' &&
          ((name === 'sign_proof' && path.startsWith('/v1/sign/')) || (name === this.options.cookie && path !== '/'))
        ),
    );
    if (unexpected.length > 0) this.problems.push(`cookies: ${unexpected.map(({ name }) => name).join(', ')}`);
    const stored = await this.page.evaluate<string>(
      'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])',
    );
    const { secret } = this.options;
    if (secret !== undefined && stored.includes(secret)) this.problems.push('the token is in a storage of the browser');
  }

  /** Serious and critical violations of accessibility on what is shown, one line each. */
  async inaccessible(options: RunOptions = {}): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>('typeof axe !== "undefined"'))) await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate<AxeResults>(
      `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`,
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')})`);
  }

  /** Whether the page can be scrolled sideways: on a phone, text is lost there. */
  overflows(): Promise<boolean> {
    return this.page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
    );
  }

  /** What cannot be read where the person prefers dark colours; all else is the same as in light ones. */
  private async unreadableInTheDark(): Promise<string[]> {
    await this.page.emulateMedia({ colorScheme: 'dark' });
    try {
      return await this.inaccessible({ runOnly: ['color-contrast'] });
    } finally {
      await this.page.emulateMedia({ colorScheme: 'light' });
    }
  }

  /** Writes what is shown, whole; notes as problems what is inaccessible, in light and dark colours, or wider than the screen. */
  async screen(name: string): Promise<void> {
    const { viewport, locale } = this.options;
    fs.mkdirSync(SCREENS, { recursive: true });
    const file = path.join(SCREENS, `${name}.${viewport}.${locale}.png`);
    await this.page.screenshot({ path: file, fullPage: true, animations: 'disabled' });
    for (const violation of await this.inaccessible()) this.problems.push(`${name}: ${violation}`);
    for (const violation of await this.unreadableInTheDark()) this.problems.push(`${name}, dark: ${violation}`);
    if (await this.overflows()) this.problems.push(`${name}: wider than the screen`);
  }

  async close(): Promise<void> {
    await this.lookForTraces().catch((error: unknown) => this.problems.push(String(error)));
    await this.context.close();
  }
}
