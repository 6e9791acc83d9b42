import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import type { CaptureServer } from '../dev/capture-server.ts';
import type { CaptureFixture, CaptureSetup } from '../dev/capture-session.ts';
import { ENGLISH } from '../src/text/english.ts';
import type { Messages } from '../src/text/messages.ts';
import { SPANISH } from '../src/text/spanish.ts';
import type { FakeCamera } from './fake-camera.ts';
import { observed, observeResources } from './observed-resources.ts';

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
  /** Whether the browser gives the frames of its camera without drawing them. Default true. */
  givesFrames?: boolean;
  /** A session that exists, by another link. */
  handedOver?: ReturnType<CaptureServer['add']>;
}

export async function openPerson(
  fake: FakeCamera,
  server: CaptureServer,
  { viewport = 'phone', camera = 'granted', givesFrames = true, handedOver, ...setup }: PersonOptions = {},
): Promise<Person> {
  const locale = setup.locale ?? 'es-CO';
  const { link, token, session } = handedOver ?? server.add(setup);
  const watched = await WatchedPage.open(fake.browser, { viewport, locale, origin: server.url, secret: token });
  if (camera === 'granted') await watched.context.grantPermissions(['camera'], { origin: server.url });
  const { page } = watched;
  if (!givesFrames) await page.addInitScript('delete window.VideoFrame');
  await observeResources(page);
  await page.goto(link);
  return {
    ...{ watched, page, link, token, session },
    text: TEXTS[locale],
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    heading: (title) => page.getByRole('heading', { level: 1, name: title }).waitFor(),
  };
}

/** Closes the page; it must have had no problem. */
export async function behaved(one: Person): Promise<void> {
  const { lost } = await observed(one.page);
  await one.watched.close();
  expect({ lost, problems: unexpected(one) }).toEqual({ lost: 0, problems: [] });
}

/** Problems of the page, except that the browser reports each lost connection and refusal as a resource that failed to load. */
export const unexpected = ({ watched }: Pick<Person, 'watched'>): string[] =>
  watched.problems.filter((problem) => !/Failed to load resource/.test(problem));

/** A drawing: the server of these tests looks at no face, and the page only whether there is one. */
export function portrait(): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="960"><rect width="720" height="960" fill="#9aa4ae"/><ellipse cx="360" cy="430" rx="190" ry="260" fill="#c79a7b"/><circle cx="290" cy="380" r="22"/><circle cx="430" cy="380" r="22"/><path d="M290 560q70 50 140 0" stroke="#6b2c2c" stroke-width="14" fill="none"/></svg>`;
  return sharp(Buffer.from(drawing)).png().toBuffer();
}
