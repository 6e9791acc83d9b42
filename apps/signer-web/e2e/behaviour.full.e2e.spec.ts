import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { ViewportName } from '@constancia/testing/watched-page';
import type { EnvelopeSetup } from '../dev/envelope.ts';
import { longDocument } from '../dev/documents.ts';
import { type SignServer, startSignServer } from '../dev/sign-server.ts';
import { drawn, openReader, type Reader } from './reader.ts';

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

  const reader = (viewport: ViewportName, setup?: EnvelopeSetup): Promise<Reader> =>
    openReader(browser, server, viewport, 'es-CO', setup);

  it('can be walked with the keyboard alone, and the focus begins each screen at its heading', async () => {
    const one = await reader('desktop', { auth: ['otp_email'], afterSigning: 'sealing' });
    const { page, envelope, text, watched, heading } = one;
    const { keyboard } = page;
    await heading(text.consent.title);
    await keyboard.press('Tab');
    await expectFocus(page, text.page.skip);
    await tabTo(page, text.consent.accept);
    await keyboard.press('Space');
    await tabTo(page, text.consent.submit);
    await keyboard.press('Enter');
    await heading(text.otp.title);
    await expectFocus(page, text.otp.title);
    await tabTo(page, text.otp.send);
    await keyboard.press('Enter');
    await page.getByLabel(text.otp.label).waitFor();
    await expect.poll(() => focused(page)).toBe(text.otp.label);
    await keyboard.type('000000');
    await keyboard.press('Enter');
    await page.getByText(text.otp.wrong(4)).waitFor();
    await expectFocus(page, text.otp.label);
    // Nothing that looks like digits stands in the emptied field.
    expect(
      await page.getByLabel(text.otp.label).evaluate((input: HTMLInputElement) => input.value + input.placeholder),
    ).toBe('');
    await keyboard.type(envelope.otp);
    await keyboard.press('Enter');
    await heading(text.read.title);
    await expectFocus(page, text.read.title);
    await drawn(page);
    await tabTo(page, text.read.submit);
    await keyboard.press('Enter');
    await heading(text.fill.title);
    await expectFocus(page, text.fill.title);
    await tabTo(page, text.fill.submit);
    await keyboard.press('Enter');
    await expectFocus(page, /^Documento de identidad/); // the first that is at fault
    await keyboard.type('CC 1.020.304.050');
    await tabTo(page, /^Autorizo/);
    await keyboard.press('Space');
    await tabTo(page, text.fill.submit);
    await keyboard.press('Enter');
    await heading(text.sign.title);
    await tabTo(page, text.sign.submit);
    await keyboard.press('Enter');
    await expectFocus(page, text.sign.intent);
    await keyboard.press('Space');
    await tabTo(page, text.sign.submit);
    await keyboard.press('Enter');
    await heading(text.sealing.title);
    await expectFocus(page, text.sealing.title);
    expect(envelope.signed).toMatchObject({ signature: { type: 'typed', text: 'María Fernanda Ñáñez Güiza' } });
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('keeps a drawing when the telephone is turned, and turned back', async () => {
    const { page, text, press, watched, envelope } = await reader('phone', {
      signerStatus: 'authenticated',
      fields: server.add().envelope.fields.filter(({ type }) => type === 'signature'),
    });
    await press(text.read.submit);
    await page.getByRole('radio', { name: text.sign.drawn }).check();
    const pad = page.locator('#drawn');
    await pad.scrollIntoViewIfNeeded();
    await page.locator('#drawn[width]').waitFor(); // the pad is loaded by now
    await page.waitForTimeout(200);
    const box = await pad.boundingBox();
    if (box === null) throw new Error('the pad is not shown');
    await page.mouse.move(box.x + 30, box.y + 30);
    await page.mouse.down();
    for (let step = 1; step <= 40; step++) await page.mouse.move(box.x + 30 + step * 4, box.y + 30 + step * 2);
    await page.mouse.up();
    const before = await inkOf(page);
    expect(before).toBeGreaterThan(100);
    await page.setViewportSize({ width: 740, height: 360 });
    await page.waitForTimeout(300);
    await expect.poll(() => inkOf(page)).toBeGreaterThan(100);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.waitForTimeout(300);
    await expect.poll(async () => Math.abs((await inkOf(page)) - before) / before).toBeLessThan(0.1);
    await page.getByRole('checkbox', { name: text.sign.intent }).check();
    await press(text.sign.submit);
    await page.getByRole('heading', { name: text.signed.now }).waitFor();
    const { signature } = envelope.signed as { signature: { image: string } };
    expect(signature.image.length * 0.75).toBeLessThanOrEqual(200_000);
    await watched.close();
    expect(watched.problems.filter((problem) => !problem.includes('getImageData'))).toEqual([]); // looked at by this test
  });

  it('draws of a long document only the pages in sight, sharp, and shows how much of it has arrived', async () => {
    const pdf = longDocument(300, 12_000_000);
    const { page, text, watched } = await reader('phone', { signerStatus: 'authenticated', pdf, pauseMs: 60 });
    await page.getByText(text.document.downloading).waitFor();
    await page.getByText(/^\d+ %$/).waitFor();
    await drawn(page);
    await page.getByText(text.document.page(1, 300)).first().waitFor();
    const canvases = page.locator('.picture canvas');
    expect(await canvases.count()).toBeLessThanOrEqual(5);
    const [width, shown] = await canvases
      .first()
      .evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.clientWidth]);
    expect(Math.abs((width ?? 0) - (shown ?? 0) * 2)).toBeLessThanOrEqual(2); // of a screen with two pixels in each
    const pages = page.locator('.pages');
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await pages.evaluate((element, at) => (element.scrollTop = element.scrollHeight * at), part);
      await page.waitForTimeout(150);
    }
    await page.getByText(text.document.page(300, 300)).first().waitFor();
    await page.getByText('Clausula 300 del contrato').waitFor({ state: 'attached' });
    await expect.poll(() => canvases.count()).toBeLessThanOrEqual(5);
    await page.getByRole('button', { name: text.document.zoomIn }).click();
    await page.getByRole('button', { name: text.document.zoomIn }).click();
    await page.getByText(text.document.page(300, 300)).first().waitFor();
    await expect
      .poll(() => canvases.last().evaluate((canvas: HTMLCanvasElement) => canvas.width))
      .toBeGreaterThan((width ?? 0) * 1.4);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('opens the document as wide as a telephone, below a toolbar that keeps its height', async () => {
    const pdf = longDocument(2);
    const { page, text, watched } = await reader('phone', { signerStatus: 'authenticated', pdf });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.reload();
      await drawn(page);
      const pages = page.locator('.pages');
      await expect.poll(() => pages.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      const toolbar = page.locator('.toolbar');
      await toolbar.getByText(text.document.seen(1, 2)).waitFor();
      const before = await toolbar.boundingBox();
      await pages.evaluate((element) => (element.scrollTop = element.scrollHeight));
      await toolbar.getByText(text.document.seen(2, 2)).waitFor();
      expect((await toolbar.boundingBox())?.height).toBe(before?.height);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(text.document.seen(1, 2)).toBe('1 vista');
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('says of a copy when the sealed document comes, which depends on who has signed', async () => {
    const { page, text, envelope, watched } = await reader('phone', { signerStatus: 'signed' });
    await page.getByText(text.signed.copyHelp).waitFor();
    envelope.envelopeStatus = 'sealing';
    await page.reload();
    await page.getByText(text.sealing.copyHelp).waitFor();
    expect(await page.getByText('cuando todas las personas firmen').count()).toBe(0);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('takes a code as it is pasted, and counts down until another may be asked for', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone', { signerStatus: 'consented' });
    await press(text.otp.send);
    const code = page.getByLabel(text.otp.label);
    await code
      .evaluate((input: HTMLInputElement) => [input.autocomplete, input.inputMode])
      .then((found) => {
        expect(found).toEqual(['one-time-code', 'numeric']);
      });
    await page.reload(); // nobody has to ask again for a code that is under way
    await code.waitFor();
    await page.getByRole('button', { name: /^Podrá pedir otro código en (1:00|0:5\d)$/ }).waitFor();
    await code.fill(`Su código es ${envelope.otp.slice(0, 3)} ${envelope.otp.slice(3)}`);
    expect(await code.inputValue()).toBe(envelope.otp);
    await press(text.otp.submit);
    await heading(text.read.title);
    await page.reload();
    await heading(text.read.title); // what is done stays done: the state is the server's
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('locks what has been tried too often, in words', async () => {
    const { page, text, watched, press } = await reader('desktop', {
      auth: ['access_code'],
      signerStatus: 'consented',
    });
    await page.getByLabel(text.accessCode.label).fill('abc');
    await press(text.accessCode.submit);
    await page.getByText(text.accessCode.malformed).waitFor();
    for (const left of [4, 3, 2, 1]) {
      await page.getByLabel(text.accessCode.label).fill(`clave-${left}`);
      await press(text.accessCode.submit);
      await page.getByText(text.accessCode.wrong(left)).waitFor();
    }
    await page.getByLabel(text.accessCode.label).fill('clave-0');
    await press(text.accessCode.submit);
    await page.getByText(text.accessCode.locked).waitFor();
    await page.reload();
    await page.getByText(/Podrá intentar de nuevo en 1[45]:\d\d/).waitFor();
    await watched.screen('25-access-code-locked');
    await watched.close();
    expect(watched.problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
  });

  it('takes the code at hand while another may not be sent', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone', { signerStatus: 'consented' });
    envelope.otpSentAt = Date.now() - 90_000;
    envelope.sendsLeft = 0;
    await page.reload();
    await press(text.otp.again);
    await page.getByRole('button', { name: /^Podrá pedir otro código en \d+:\d\d$/ }).waitFor();
    await page.getByLabel(text.otp.label).fill(envelope.otp);
    await press(text.otp.submit);
    await heading(text.read.title);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('stays whole where the page is enlarged four times, and with little height', async () => {
    for (const signerStatus of ['viewed', 'consented', 'authenticated', 'signed'] as const) {
      const { page, watched } = await reader('desktop', { signerStatus });
      await page.setViewportSize({ width: 320, height: 256 });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([signerStatus, await watched.overflows()]).toEqual([signerStatus, false]);
      await watched.close();
      expect(watched.problems).toEqual([]);
    }
  });

  it('says so when it fails itself, and goes on after a reload', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone');
    await heading(text.consent.title);
    const { fields } = envelope;
    envelope.fields = null as never; // a state that this page does not understand
    await page.reload();
    await heading(text.broken.title);
    await watched.screen('27-broken');
    envelope.fields = fields;
    await press(text.broken.reload);
    await heading(text.consent.title);
    await watched.close();
    expect(watched.problems.filter((problem) => !problem.startsWith('console error: TypeError'))).toEqual([]);
  });

  it('begins again from what the server says when the state has changed elsewhere', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone');
    await heading(text.consent.title);
    envelope.signerStatus = 'declined';
    envelope.envelopeStatus = 'declined';
    await page.getByRole('checkbox', { name: text.consent.accept }).check();
    await press(text.consent.submit);
    await heading(text.declinedByYou.title);
    envelope.signerStatus = 'viewed';
    envelope.envelopeStatus = 'in_progress';
    await page.reload();
    await heading(text.consent.title);
    envelope.consentVersion = '2027-01';
    await page.getByRole('checkbox', { name: text.consent.accept }).check();
    await press(text.consent.submit);
    await page.getByText(text.notices.changed).first().waitFor();
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('leads from what the service did not accept to the field, and says so', async () => {
    const { page, text, watched, press, heading } = await reader('phone', { signerStatus: 'authenticated' });
    await press(text.read.submit);
    const field = page.getByRole('textbox', { name: /^Documento de identidad/ });
    await field.fill('9'.repeat(70));
    await page.getByRole('checkbox', { name: /^Autorizo/ }).check();
    await press(text.fill.submit);
    await page.getByRole('checkbox', { name: text.sign.intent }).check();
    await press(text.sign.submit);
    await heading(text.fill.title);
    await page.getByText(text.fill.refused).waitFor();
    await expect.poll(() => focused(page)).toMatch(/^Documento de identidad/);
    await watched.screen('26-field-refused');
    await watched.close();
    expect(watched.problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
  });

  it('declines with a reason only, after asking again', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone');
    await press(text.decline.open);
    await page.getByText(text.decline.codeFirst).waitFor(); // by the link alone nobody declines
    expect(envelope.declineReason).toBeNull();
    await press(text.otp.send);
    await page.getByLabel(text.otp.label).fill(envelope.otp);
    await press(text.otp.submit);
    await page.getByRole('heading', { name: text.decline.title }).waitFor();
    await press(text.decline.confirm);
    await page.getByText(text.decline.missing).waitFor();
    await page.keyboard.press('Escape');
    expect(envelope.declineReason).toBeNull();
    await press(text.decline.open);
    await page.getByLabel(text.decline.reason).fill('El valor no es el acordado.');
    await press(text.decline.confirm);
    await heading(text.declinedByYou.title);
    expect(envelope.declineReason).toBe('El valor no es el acordado.');
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it.each(['viewed', 'consented'] as const)(
    'declines without verifying an identity, once the codes before it are given (%s)',
    async (signerStatus) => {
      const auth = ['otp_email', 'access_code', 'identity'] as const;
      const { page, text, envelope, watched, press, heading } = await reader('phone', {
        auth: [...auth],
        signerStatus,
      });
      await press(text.decline.open);
      await page.getByText(text.decline.codeFirst).waitFor();
      await press(text.otp.send);
      await page.getByLabel(text.otp.label).fill(envelope.otp);
      await press(text.otp.submit);
      await page.getByLabel(text.accessCode.label).fill(envelope.accessCode);
      await press(text.accessCode.submit);
      await page.getByRole('heading', { name: text.decline.title }).waitFor();
      await press(text.decline.cancel);
      await heading(signerStatus === 'viewed' ? text.consent.title : text.identity.title);
      await press(text.decline.open);
      await page.getByLabel(text.decline.reason).fill('No autorizo el uso de mi rostro.');
      await press(text.decline.confirm);
      await heading(text.declinedByYou.title);
      expect(envelope.declineReason).toBe('No autorizo el uso de mi rostro.');
      await watched.close();
      expect(watched.problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]); // no check was begun
    },
  );

  it('says that the link reached somebody else, which stops it and ends nothing', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone');
    await press(text.notMe.open);
    await page.getByRole('heading', { name: text.notMe.title }).waitFor();
    await watched.screen('28-not-me');
    await press(text.notMe.confirm);
    await heading(text.notMe.thanks);
    expect([envelope.mode, envelope.envelopeStatus]).toEqual(['gone', 'in_progress']);
    await page.reload();
    await heading(text.unknown.title);
    await press(text.unknown.newLink);
    await page.getByText(text.unknown.mailed).waitFor();
    await watched.screen('29-new-link');
    await watched.close();
    expect(watched.problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
  });

  it('keeps what was entered with the service: a reload and the way back lose nothing', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone', { signerStatus: 'authenticated' });
    await press(text.read.submit);
    await page.getByRole('textbox', { name: /^Documento de identidad/ }).fill('CC 1.020.304.050');
    await expect.poll(() => envelope.draft?.documento).toBe('CC 1.020.304.050');
    await page.reload();
    await heading(text.fill.title); // where one was
    expect(await page.getByRole('textbox', { name: /^Documento de identidad/ }).inputValue()).toBe('CC 1.020.304.050');
    await page.goBack();
    await heading(text.read.title);
    await page.goForward();
    await heading(text.fill.title);
    expect(await page.getByRole('textbox', { name: /^Documento de identidad/ }).inputValue()).toBe('CC 1.020.304.050');
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('asks for the code again in a browser that has no proof of it', async () => {
    const { page, text, envelope, watched, press, heading } = await reader('phone', { signerStatus: 'consented' });
    await press(text.otp.send);
    await page.getByLabel(text.otp.label).fill(envelope.otp);
    await press(text.otp.submit);
    await heading(text.read.title);
    const [cookie, ...others] = await page
      .context()
      .cookies(`${new URL(page.url()).origin}/v1/sign${new URL(page.url()).pathname}`);
    expect([cookie, others]).toMatchObject([{ name: 'sign_proof', httpOnly: true, sameSite: 'Strict' }, []]);
    await page.context().clearCookies();
    await page.reload();
    await heading(text.otp.title);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('requests the state while everything but the small entry script is still loading', async () => {
    const { page, text, watched, heading } = await reader('phone');
    const requested = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/v1/sign/'));
    await page.route(/\/assets\/(?!sign-|preload-helper-)[^/]+\.js$/, async (route) => {
      await requested;
      await route.continue();
    });
    await page.reload();
    await heading(text.consent.title);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('shows a failure of the first request that comes before anything is drawn', async () => {
    const { page, text, watched, press, heading } = await reader('phone');
    await page.addInitScript(() => {
      const real = window.fetch;
      window.fetch = () => {
        window.fetch = real;
        return Promise.reject(new TypeError('Failed to fetch'));
      };
    });
    await page.reload();
    await heading(text.offline.title);
    await press(text.page.retry);
    await heading(text.consent.title);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it('has the focus pass through the document before the form where both are shown', async () => {
    const { page, watched, heading, text } = await reader('desktop', { signerStatus: 'authenticated' });
    await heading(text.read.title);
    const order = await page.evaluate(() => {
      const [pane, panel] = ['.document', '.panel'].map((name) => document.querySelector(name) as HTMLElement);
      const left =
        (pane as HTMLElement).getBoundingClientRect().left < (panel as HTMLElement).getBoundingClientRect().left;
      return [left, Boolean((pane as Node).compareDocumentPosition(panel as Node) & Node.DOCUMENT_POSITION_FOLLOWING)];
    });
    expect(order).toEqual([true, true]);
    await watched.close();
  });

  it('asks for the code in the language that the page is read in', async () => {
    const { page, envelope, watched, press, heading } = await reader('phone', { signerStatus: 'consented' });
    await page.getByRole('button', { name: 'English' }).click();
    await heading('Confirm');
    await press('Send me the code');
    await expect.poll(() => envelope.mailLocale).toBe('en');
    await watched.close();
  });

  it('changes its language at once, with the consent that is agreed to, and keeps it over a reload', async () => {
    const { page, text, watched, heading } = await reader('phone');
    await heading(text.consent.title);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'English' }).click();
    await heading('Before you sign');
    await page.getByText('You agree to receive and sign').waitFor();
    expect(await page.getByRole('checkbox').isChecked()).toBe(false); // another text, another yes
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.reload();
    await heading('Before you sign');
    await watched.close();
    expect(watched.problems).toEqual([]);
  });
});

/** The name of what has the focus, as a screen reader would say it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null) return '';
    const label = element.id === '' ? null : document.querySelector(`label[for="${CSS.escape(element.id)}"]`);
    return (label ?? element).textContent?.trim() ?? '';
  });
}

async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  if (typeof name === 'string') await expect.poll(() => focused(page)).toBe(name);
  else await expect.poll(() => focused(page)).toMatch(name);
}

/** Presses Tab until something of that name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const now = await focused(page);
    if (typeof name === 'string' ? now === name : name.test(now)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${name}`);
}

/** How many pixels of the pad are drawn on, per pixel of the screen. */
function inkOf(page: Page): Promise<number> {
  return page.locator('#drawn').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let inked = 0;
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 40) inked++;
    return inked;
  });
}
