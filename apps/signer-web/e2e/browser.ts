import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where Debian and its relatives install it; CHROMIUM_PATH names another place. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export const VIEWPORTS = {
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true },
  landscape: { viewport: { width: 740, height: 360 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
} as const;

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });

export interface Watched {
  context: BrowserContext;
  page: Page;
  /** What went wrong without anyone seeing it: console errors, failed scripts, requests to other origins. */
  complaints: string[];
}

/** A page on a device, watched for what a person would not notice. */
export async function openPage(browser: Browser, device: keyof typeof VIEWPORTS, origin: string): Promise<Watched> {
  const context = await browser.newContext({ ...VIEWPORTS[device], locale: 'es-CO', acceptDownloads: true });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) complaints.push(`off the origin: ${url}`);
  });
  return { context, page, complaints };
}
