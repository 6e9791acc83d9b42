import type { Browser, Page } from 'playwright-core';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { EnvelopeFixture, EnvelopeSetup } from '../dev/envelope.ts';
import type { SignServer } from '../dev/sign-server.ts';
import type { Locale } from '../src/api/sign-state.ts';
import { ENGLISH } from '../src/text/english.ts';
import type { Messages } from '../src/text/messages.ts';
import { SPANISH } from '../src/text/spanish.ts';

const TEXTS: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** One person with one envelope, who knows what the page says. */
export interface Reader {
  watched: WatchedPage;
  page: Page;
  envelope: EnvelopeFixture;
  text: Messages;
  press: (name: string) => Promise<void>;
  heading: (title: string) => Promise<void>;
}

export async function openReader(
  browser: Browser,
  server: SignServer,
  viewport: ViewportName,
  locale: Locale,
  setup: EnvelopeSetup = {},
): Promise<Reader> {
  const { link, envelope } = server.add({ locale, ...setup });
  const secret = new URL(link).pathname.slice(1);
  const watched = await WatchedPage.open(browser, { viewport, locale, origin: server.url, secret });
  const { page } = watched;
  if (envelope.proof !== null) {
    const kept = { name: 'sign_proof', value: envelope.proof, httpOnly: true, sameSite: 'Strict' } as const;
    await page.context().addCookies([{ ...kept, domain: new URL(link).hostname, path: `/v1/sign/${secret}` }]);
  }
  await page.goto(link);
  return {
    ...{ watched, page, envelope },
    text: TEXTS[locale],
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    heading: (title) => page.getByRole('heading', { level: 1, name: title }).waitFor(),
  };
}

/** Until pages of the document are drawn. */
export const drawn = (page: Page): Promise<void> => page.locator('.picture canvas').first().waitFor();
