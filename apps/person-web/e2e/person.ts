import type { Page } from 'playwright-core';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { CaptureServer } from '../dev/capture-server.ts';
import type { CaptureFixture, CaptureSetup } from '../dev/capture-session.ts';
import { ENGLISH } from '../src/text/english.ts';
import type { Messages } from '../src/text/messages.ts';
import { SPANISH } from '../src/text/spanish.ts';
import type { FakeCamera } from './fake-camera.ts';

const TEXTS: Record<'es-CO' | 'en', Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** One person with one session, who knows what the page says. */
export interface Person {
  watched: WatchedPage;
  page: Page;
  link: string;
  token: string;
  session: CaptureFixture;
  text: Messages;
  press: (name: string) => Promise<void>;
  heading: (title: string) => Promise<void>;
}

export interface PersonOptions extends CaptureSetup {
  viewport?: ViewportName;
  camera?: 'granted' | 'denied';
}

export async function openPerson(
  fake: FakeCamera,
  server: CaptureServer,
  { viewport = 'phone', camera = 'granted', ...setup }: PersonOptions = {},
): Promise<Person> {
  const locale = setup.locale ?? 'es-CO';
  const { link, token, session } = server.add(setup);
  const watched = await WatchedPage.open(fake.browser, { viewport, locale, origin: server.url, secret: token });
  if (camera === 'granted') await watched.context.grantPermissions(['camera'], { origin: server.url });
  const { page } = watched;
  await page.goto(link);
  return {
    ...{ watched, page, link, token, session },
    text: TEXTS[locale],
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    heading: (title) => page.getByRole('heading', { level: 1, name: title }).waitFor(),
  };
}

/** The browser says of every lost connection and refusal that a resource failed to load; the page says it in words. */
export const unexpected = ({ watched }: Person): string[] =>
  watched.problems.filter((problem) => !/Failed to load resource/.test(problem));
