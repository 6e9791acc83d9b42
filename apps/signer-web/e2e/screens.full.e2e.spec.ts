import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { ViewportName } from '@constancia/testing/watched-page';
import type { EnvelopeSetup } from '../dev/envelope.ts';
import { type SignServer, startSignServer } from '../dev/sign-server.ts';
import type { IdentityCheck, Locale } from '../src/api/sign-state.ts';
import type { Messages } from '../src/text/messages.ts';
import { drawn, openReader, type Reader } from './reader.ts';

const OTHER_HALF: [ViewportName, Locale][] = [
  ['phone', 'en'],
  ['landscape', 'es-CO'],
  ['desktop', 'en'],
];

describe.skipIf(!browserInstalled('The signing page'))('the signing page', () => {
  let server: SignServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startSignServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const reader = (viewport: ViewportName, locale: Locale, setup?: EnvelopeSetup): Promise<Reader> =>
    openReader(browser, server, viewport, locale, setup);

  async function behaved({ watched }: Reader): Promise<void> {
    await watched.close();
    expect(watched.problems).toEqual([]);
  }

  const everywhere: [ViewportName, Locale][] = [
    ['phone', 'es-CO'],
    ['landscape', 'en'],
    ['desktop', 'es-CO'],
    // The other half, for who looks at the pictures.
    ...(process.env.SCREENS === 'all' ? OTHER_HALF : []),
  ];
  /** Screens of one column, which a phone that lies on its side shows as it shows the steps. */
  const twice: [ViewportName, Locale][] = process.env.SCREENS === 'all' ? everywhere : [['phone', 'en'], ['desktop', 'es-CO']]; // prettier-ignore

  it.each(everywhere)('shows every step to a %s, in %s', async (viewport, locale) => {
    const auth = ['otp_sms', 'otp_whatsapp', 'access_code'] as const;
    const one = await reader(viewport, locale, { auth: [...auth], afterSigning: 'sealed' });
    const { page, envelope, text, watched, press, heading } = one;
    await heading(text.consent.title);
    await watched.screen('01-consent');
    await press(text.consent.look);
    await drawn(page);
    await watched.screen('02-first-look');
    await press(text.page.back);
    await press(text.consent.submit);
    await page.getByText(text.consent.missing).waitFor();
    await watched.screen('03-consent-missing');
    await page.getByRole('checkbox', { name: text.consent.accept }).check();
    await press(text.consent.submit);
    await heading(text.otp.title);
    await page.getByRole('radio', { name: text.otp.by.otp_whatsapp }).check();
    await watched.screen('04-code');
    await press(text.otp.send);
    await page.getByText(text.otp.sentBy.otp_whatsapp('+57 ••• ••• 1234')).first().waitFor();
    const code = page.getByLabel(text.otp.label);
    await code.fill('111 111');
    await press(text.otp.submit);
    await page.getByText(text.otp.wrong(4)).waitFor();
    await watched.screen('05-code-wrong');
    await code.fill(envelope.otp);
    await press(text.otp.submit);
    await heading(text.accessCode.title);
    await watched.screen('06-access-code');
    await page.getByLabel(text.accessCode.label).fill(envelope.accessCode);
    await press(text.accessCode.submit);
    await heading(text.read.title);
    await drawn(page);
    await watched.screen('07-read');
    await press(text.read.submit);
    await heading(text.fill.title);
    await press(text.fill.submit);
    await page.getByText(text.fill.faults(2)).waitFor();
    await watched.screen('08-fill-missing');
    await page.getByRole('textbox', { name: 'Documento de identidad' }).fill('CC 1.020.304.050');
    await page.getByRole('checkbox', { name: 'Autorizo' }).check();
    await press(text.fill.show('Documento de identidad'));
    await page.locator('.mark-box.chosen').waitFor();
    await drawn(page);
    await page.waitForTimeout(600); // the document glides to the place
    await watched.screen('09-fill-shown');
    if (viewport === 'phone') await press(text.document.form);
    await press(text.fill.submit);
    await heading(text.sign.title);
    await watched.screen('10-sign');
    await press(text.decline.open);
    await page.getByRole('heading', { name: text.decline.title }).waitFor();
    await watched.screen('11-decline');
    await press(text.decline.cancel);
    await page.getByRole('radio', { name: text.sign.drawn }).check();
    await scribble(page, page.locator('#drawn'));
    await watched.screen('12-sign-drawn');
    await page.getByRole('checkbox', { name: text.sign.intent }).check();
    await press(text.sign.submit);
    await heading(text.sealed.title);
    await watched.screen('13-sealed');
    expect(envelope.signed).toMatchObject({
      signature: { type: 'drawn', image: expect.stringMatching(/^data:image\/png;base64,/) },
      fields: { documento: 'CC 1.020.304.050', datos: true, iniciales: 'MFÑG' },
      intent: true,
    });
    await behaved(one);
  });

  it.each(twice)('takes a %s through the verification of an identity, in %s', async (viewport, locale) => {
    const one = await reader(viewport, locale, { auth: ['identity'], signerStatus: 'consented' });
    const { page, envelope, text, watched, heading, press } = one;
    const { identity } = text;
    const becomes = (status: IdentityCheck['status'], capture_url: string | null = null): void => {
      envelope.identity = { status, capture_url };
    };
    await heading(identity.title);
    await page.getByLabel(identity.documentType).selectOption('PA');
    await page.getByLabel(identity.country).selectOption('DE');
    await press(identity.submit);
    await page.getByText(identity.missing).waitFor();
    await watched.screen('30-identity-form');
    await page.getByLabel(identity.documentType).selectOption('CC');
    await page.getByLabel(identity.number).fill('12');
    await press(identity.submit);
    await page.getByText(identity.malformed).waitFor();
    await page.getByLabel(identity.number).fill('1098765432');
    await press(identity.submit);
    await page.getByRole('progressbar', { name: identity.preparing }).waitFor();
    expect(envelope.documents).toEqual([{ document_type: 'CC', document_number: '1098765432', country: 'CO' }]);
    becomes('open', `${new URL(page.url()).origin}/verify`);
    const link = page.getByRole('link', { name: identity.open });
    await link.waitFor();
    await watched.screen('31-identity-open');
    expect(await page.getByText(/está lista|is ready/).count()).toBe(0); // nothing is verified yet
    await link.focus();
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    expect(await (await opened).evaluate(() => window.opener as unknown)).toBeNull();
    await (await opened).close();
    becomes('in_review');
    await page.getByText(identity.review, { exact: true }).first().waitFor();
    await watched.screen('32-identity-review');
    await page.reload();
    await page.getByText(identity.review, { exact: true }).first().waitFor();
    const ends = [
      ['name_mismatch', identity.nameMismatch],
      ['not_verified', identity.notVerified],
      ['expired', identity.expired],
      ['refused', identity.refused],
    ] as const;
    for (const [status, sentence] of ends) {
      becomes(status);
      await page.reload();
      await page.getByRole('alert').getByText(sentence).waitFor();
      await watched.screen(`33-identity-${status}`);
    }
    await page.getByLabel(identity.number).fill('1098765432');
    await press(identity.submit);
    await page.getByRole('progressbar', { name: identity.preparing }).waitFor();
    becomes('verified');
    await heading(text.read.title);
    await watched.close();
    // The service has no check for a browser that has started none, and refuses a number of two digits.
    expect(watched.problems.filter((problem) => !/status of 40[04]/.test(problem))).toEqual([]);
  });

  const outcomes: [string, keyof Messages, EnvelopeSetup][] = [
    ['14-waiting', 'waiting', { signerStatus: 'waiting' }],
    ['15-already-signed', 'signed', { signerStatus: 'signed' }],
    ['16-sealing', 'sealing', { signerStatus: 'signed', envelopeStatus: 'sealing' }],
    ['17-failed', 'failed', { signerStatus: 'signed', envelopeStatus: 'failed' }],
    ['18-declined-by-you', 'declinedByYou', { signerStatus: 'declined', envelopeStatus: 'declined' }],
    ['19-declined-by-other', 'declinedByOther', { signerStatus: 'waiting', envelopeStatus: 'declined' }],
  ];
  it.each(twice)('shows a %s what became of an envelope, in %s', async (viewport, locale) => {
    for (const [name, section, setup] of outcomes) {
      const one = await reader(viewport, locale, setup);
      const words = one.text[section] as { title?: string; already?: string };
      await one.heading(words.title ?? words.already ?? '');
      await one.watched.screen(name);
      await behaved(one);
    }
  });

  it.each(twice)('shows a %s why nothing is shown, in %s', async (viewport, locale) => {
    const one = await reader(viewport, locale);
    const { page, envelope, text, watched, heading } = one;
    const address = `${page.url()}?lang=${locale === 'en' ? 'en' : 'es'}`;
    envelope.mode = 'crowded';
    envelope.retryAfter = 2;
    await page.goto(address);
    await heading(text.crowded.title);
    await watched.screen('20-crowded');
    envelope.mode = 'well';
    await heading(text.consent.title); // by itself, once the time is over
    envelope.mode = 'crowded';
    envelope.retryAfter = 65;
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: text.consent.submit }).click();
    await page.getByText(/1:0\d/).waitFor();
    await watched.screen('21-crowded-in-a-step');
    await page.goto(address.replace(/demo-token-\w+/, 'a-token-that-nobody-has'));
    await heading(text.unknown.title);
    await watched.screen('22-unknown');
    await behaved(one);
  });

  it.each(twice)('survives on a %s without connection, in %s', async (viewport, locale) => {
    const one = await reader(viewport, locale);
    const { page, envelope, text, watched, heading, press } = one;
    await page.getByRole('checkbox').check();
    await page.context().setOffline(true);
    await press(text.consent.submit);
    await page.getByText(text.notices.unreachable).waitFor();
    await watched.screen('23-offline-in-a-step');
    await page.context().setOffline(false);
    await press(text.consent.submit);
    await heading(text.otp.title);
    envelope.mode = 'down';
    await page.goto(`${page.url()}?lang=${locale === 'en' ? 'en' : 'es'}`);
    await heading(text.offline.title);
    await watched.screen('24-offline');
    envelope.mode = 'well';
    await press(text.page.retry);
    await heading(text.otp.title);
    await watched.close();
    // A browser logs every connection that fails.
    expect(watched.problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE/.test(problem))).toEqual(
      [],
    );
  });
});

/** A line like a signature's, drawn with the mouse. */
async function scribble(page: Page, pad: Locator): Promise<void> {
  await pad.scrollIntoViewIfNeeded();
  await page.locator('#drawn[width]').waitFor(); // the pad is loaded when it is first wanted, and sets the size then
  await page.waitForTimeout(200);
  const box = await pad.boundingBox();
  if (box === null) throw new Error('the pad is not shown');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 40, y);
  await page.mouse.down();
  for (let step = 0; step < 60; step++) await page.mouse.move(box.x + 40 + step * 3, y + Math.sin(step / 4) * 35);
  await page.mouse.up();
}
