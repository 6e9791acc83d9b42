import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { TestStack } from '@constancia/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { codeIn, INVITATION, linkIn, mailTo, tokenOf } from '../web/mailbox-reader.ts';
import { type Hands, SignerAtPage, TEXTS } from '../web/signer-at-page.ts';
import { type ViewportName, WatchedPage } from '@constancia/testing/watched-page';
import { giveBrand, showsBrand } from './brand.fixture.ts';
import { grantCredits, inStore, type Integrator, NO_LIMITS, requestSignature, settled, signUp, startDeployment, uploadTemplate } from './deployment.fixture.ts'; // prettier-ignore
import {
  call,
  type Envelope,
  envelopeIn,
  newCode,
  type Part,
  type Person,
  publishedCircuit,
  sendEnvelope,
  type SentEnvelope,
  signByHttp,
} from './envelopes.fixture.ts';
import { WORDS } from '../../apps/signer-web/src/verify/language.ts';

type Locale = 'es-CO' | 'en';

const PAGES = 3;
const PARTS: Part[] = [
  { role: 'arrendatario', order: 1 },
  { role: 'arrendador', order: 2 },
];
const installed = browserInstalled('tools/e2e/envelopes-browser.full.e2e.spec.ts');

describe.skipIf(!installed)('the pages of the signers in a browser', () => {
  let stack: TestStack;
  let browser: Browser;
  let integrator: Integrator;
  let circuit: string;
  let people = 0;
  const secrets: string[] = [];

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startDeployment({ env: NO_LIMITS, apps: ['platform', 'signing', 'sealing-worker'] }),
      openBrowser(),
    ]);
    integrator = await signUp(stack);
    await grantCredits(stack, integrator);
    await giveBrand(integrator);
    circuit = await publishedCircuit(stack, integrator, { parts: PARTS, pages: PAGES, full: true });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const mailbox = (address: string) => stack.mailbox.messages(address);

  /** Two people who get an envelope, each with an address of their own. */
  async function sent(changes: Record<string, unknown> = {}, circuitId = circuit): Promise<SentEnvelope> {
    const number = ++people;
    const persons: Person[] = [
      { role: 'arrendatario', email: `ana-${number}@canary.example`, name: 'Ana María Núñez' },
      { role: 'arrendador', email: `luis-${number}@canary.example`, name: 'Luis Peña' },
    ];
    const envelope = await sendEnvelope(stack, integrator, circuitId, persons, changes);
    secrets.push(...envelope.signers.map(({ sign_token }) => sign_token));
    return envelope;
  }

  const signerOf = (envelope: SentEnvelope, role: string) =>
    envelope.signers.find((signer) => signer.role === role) as SentEnvelope['signers'][number];

  async function at(viewport: ViewportName, locale: Locale, link: string, hands: Hands = 'pointer') {
    const watched = await WatchedPage.open(browser, { viewport, locale, origin: stack.signUrl, secret: tokenOf(link) });
    const person = new SignerAtPage(watched, locale, hands);
    await person.open(link);
    return person;
  }

  /** Closes the page; whatever it did that it must not is reported. */
  async function leaves(person: SignerAtPage): Promise<void> {
    await person.watched.close();
    expect(person.watched.problems).toEqual([]);
  }

  /** From the mail to the signature. Screens are kept under `name`. */
  async function walks(
    name: string,
    { viewport, locale, hands, drawn }: { viewport: ViewportName; locale: Locale; hands: Hands; drawn: boolean },
    email: string,
  ): Promise<SignerAtPage> {
    const link = linkIn(stack, await mailTo(stack, email, INVITATION));
    const person = await at(viewport, locale, link, hands);
    await person.reads(person.text.consent.title);
    await showsBrand(person.page);
    await person.screen(`${name}-1-consent`);
    await person.consents();
    await person.reads(person.text.otp.title);
    await person.screen(`${name}-2-code`);
    await person.provesByMail(async () => {
      const code = await newCode(mailbox, email);
      secrets.push(code);
      await person.screen(`${name}-3-code-sent`);
      return code;
    });
    await person.reads(person.text.read.title);
    await person.page.getByText(person.text.document.ready(PAGES)).waitFor({ state: 'attached', timeout: 20_000 });
    await person.screen(`${name}-4-read`);
    await person.readsDocument(PAGES);
    await person.reads(person.text.fill.title);
    await person.screen(`${name}-5-fill`);
    await person.fillsIn({ Ciudad: 'Bogotá' }, ['Recibí copia del contrato']);
    await person.reads(person.text.sign.title);
    if (drawn) await person.draws();
    await person.screen(`${name}-6-sign`);
    await person.signs();
    return person;
  }

  describe.each([
    { locale: 'es-CO', name: 'journey' },
    { locale: 'en', name: 'journey' },
  ] as const)('the whole journey, $locale', ({ locale, name }) => {
    const other = locale === 'es-CO' ? ('keyboard' as const) : ('pointer' as const);
    const first: Hands = locale === 'es-CO' ? 'pointer' : 'keyboard';
    let envelope: SentEnvelope;
    let publicId: string;
    let sealed: Buffer;

    it(`is walked on a phone with the ${first} and on a desktop with the ${other}, from the mail to the sealed file`, async () => {
      envelope = await sent({
        locale,
        message: locale === 'en' ? 'Please sign this week.' : 'Por favor fírmelo esta semana.',
      });
      const { signers } = envelope;
      const [ana, luis] = [signers[0], signers[1]] as [SentEnvelope['signers'][0], SentEnvelope['signers'][0]];

      const onPhone = { viewport: 'phone', locale, hands: first, drawn: first === 'pointer' } as const;
      const anaAtPage = await walks(name, onPhone, ana.email);
      await anaAtPage.reads(anaAtPage.text.signed.now);
      await anaAtPage.screen(`${name}-7-signed`);
      await leaves(anaAtPage);

      const onDesktop = { viewport: 'desktop', locale, hands: other, drawn: other === 'pointer' } as const;
      const luisAtPage = await walks(name, onDesktop, luis.email);
      await luisAtPage.reads(luisAtPage.text.sealed.title);
      await luisAtPage.screen(`${name}-8-sealed`);
      const downloading = luisAtPage.page.waitForEvent('download');
      await luisAtPage.page.getByRole('link', { name: luisAtPage.text.sealed.download }).click();
      sealed = fs.readFileSync(await (await downloading).path());
      const answer = await call<Envelope>(stack, `/v1/envelopes/${envelope.id}`, {
        key: integrator.apiKey,
        expect: 200,
      });
      expect(createHash('sha256').update(sealed).digest('hex')).toBe(answer.document_sha256);
      const verify = luisAtPage.page.getByRole('link', { name: luisAtPage.text.sealed.verify });
      publicId = ((await verify.getAttribute('href')) as string).split('/').at(-1) as string;
      await leaves(luisAtPage);
    });

    it.each(['phone', 'desktop'] as const)(
      'ends on the verify page, which finds the file authentic: %s',
      async (viewport) => {
        const words = WORDS[locale];
        const watched = await WatchedPage.open(browser, { viewport, locale, origin: stack.signUrl });
        const { page } = watched;
        await page.goto(`${stack.signUrl}/verify/${publicId}`);
        await page.getByText(words.statuses.sealed as string).waitFor();
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'contrato.pdf', mimeType: 'application/pdf', buffer: sealed });
        await page.getByRole('heading', { name: words.outcomes.authentic.title }).waitFor();
        expect(await page.getByText(words.signatureHolds).isVisible()).toBe(true);
        expect(await page.getByText('A••• M••• N•••').isVisible()).toBe(true);
        const whole = await page.locator('.links').innerText();
        expect(whole).not.toContain(words.trailBroken);
        await page.locator('.facts summary').click();
        await watched.screen('verify-2-authentic');
        const events = page.locator('.history li');
        expect(await events.first().isVisible()).toBe(false); // the history is long: one asks for it
        await page.locator('.history summary').click();
        expect(await events.first().isVisible()).toBe(true);
        expect(await events.count()).toBeGreaterThan(10);
        const body = await page.locator('body').innerText();
        expect(body).not.toMatch(/Núñez|Peña|canary\.example|127\.0\.0\.1/);

        const changed = Buffer.from(sealed);
        changed[changed.length - 10] = (changed[changed.length - 10] as number) ^ 1;
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'otro.pdf', mimeType: 'application/pdf', buffer: changed });
        await page.getByRole('heading', { name: words.outcomes.altered.title }).waitFor();
        await watched.screen('verify-3-changed');
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'ajeno.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 other') });
        await page.getByRole('heading', { name: words.outcomes.unknown.title }).waitFor();
        await watched.close();
        expect(watched.problems).toEqual([]);
        // The service is asked about hashes, never sent the file.
        const asked = watched.requests.filter((url) => url.includes('/v1/'));
        expect(asked).toContain(`${stack.signUrl}/v1/verify/${publicId}`);
        expect(asked.filter((url) => !url.startsWith(`${stack.signUrl}/v1/verify/`))).toEqual([]);
      },
    );
  });

  it('verifies a document of Track 1 by dropping it, with nothing but the file', async () => {
    const id = (
      (await (await requestSignature(stack, integrator, await uploadTemplate(stack, integrator))).json()) as {
        id: string;
      }
    ).id;
    await settled(stack, integrator, id);
    const answer = await fetch(`${stack.signingUrl}/v1/signatures/${id}/document`, {
      headers: { 'X-API-Key': integrator.apiKey },
    });
    const sealed = Buffer.from(await answer.arrayBuffer());
    const words = WORDS['es-CO'];
    const watched = await WatchedPage.open(browser, { viewport: 'phone', locale: 'es-CO', origin: stack.signUrl });
    const { page } = watched;
    await page.goto(`${stack.signUrl}/verify`);
    await page.getByRole('heading', { name: words.title }).waitFor();
    await watched.screen('verify-1-any');
    await page.keyboard.press('Tab');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    const transfer = await page.evaluateHandle<DropOf>(
      `(() => { const data = new DataTransfer(); const bytes = Uint8Array.from(atob(${JSON.stringify(sealed.toString('base64'))}), (c) => c.charCodeAt(0));
         data.items.add(new File([bytes], 'sellado.pdf', { type: 'application/pdf' })); return data; })()`,
    );
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
    await page.getByRole('heading', { name: words.outcomes.authentic.title }).waitFor();
    await watched.screen('verify-4-any-authentic');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'foto.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 other') });
    await page.getByRole('heading', { name: words.unknownInAll.title }).waitFor();
    await watched.screen('verify-5-any-unknown');
    expect(sent.filter((body) => body !== '')).toEqual([]);
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it.each(['es-CO', 'en'] as const)('says on the verify page that there is no such document, %s', async (locale) => {
    const watched = await WatchedPage.open(browser, { viewport: 'phone', locale, origin: stack.signUrl });
    await watched.page.goto(`${stack.signUrl}/verify/${'0'.repeat(22)}`);
    await watched.page.getByRole('heading', { name: WORDS[locale].unknownEnvelope.title }).waitFor();
    await watched.screen('verify-6-no-such');
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  describe('the other screens', () => {
    const screens: [viewport: ViewportName, locale: Locale][] = [
      ['phone', 'es-CO'],
      ['desktop', 'en'],
    ];

    it.each(screens)(
      'tell whose turn it is not yet, and that one has signed already: %s %s',
      async (viewport, locale) => {
        const envelope = await sent({ locale });
        const waiting = await at(viewport, locale, signerOf(envelope, 'arrendador').sign_url);
        await waiting.reads(waiting.text.waiting.title);
        await waiting.screen('other-waiting');
        await signByHttp(stack, mailbox, signerOf(envelope, 'arrendatario'));
        await waiting.press(waiting.text.page.refresh);
        await waiting.reads(waiting.text.consent.title);
        await leaves(waiting);
        const again = await at(viewport, locale, signerOf(envelope, 'arrendatario').sign_url);
        await again.reads(again.text.signed.already);
        await again.screen('other-already-signed');
        await leaves(again);
      },
    );

    it.each(screens)('take a reason for declining, and tell the others: %s %s', async (viewport, locale) => {
      const envelope = await sent({ locale });
      const person = await at(viewport, locale, signerOf(envelope, 'arrendatario').sign_url, 'keyboard');
      await person.reads(person.text.consent.title);
      await person.press(person.text.decline.open);
      await person.provesByMail(() => newCode(mailbox, signerOf(envelope, 'arrendatario').email));
      await person.press(person.text.decline.confirm);
      await person.page.getByText(person.text.decline.missing).waitFor();
      await person.screen('other-decline');
      await person.write(person.text.decline.reason, 'El canon no es el acordado.');
      await person.press(person.text.decline.confirm);
      await person.reads(person.text.declinedByYou.title);
      await person.screen('other-declined-by-you');
      await leaves(person);
      const second = await at(viewport, locale, signerOf(envelope, 'arrendador').sign_url);
      await second.reads(second.text.declinedByOther.title);
      await second.screen('other-declined-by-other');
      await leaves(second);
    });

    it.each(screens)('do not tell a voided, an expired and an unknown link apart: %s %s', async (viewport, locale) => {
      const [voided, expired] = [await sent({ locale }), await sent({ locale })];
      await call(stack, `/v1/envelopes/${voided.id}/void`, {
        key: integrator.apiKey,
        body: { reason: 'Se cambió el contrato.' },
        expect: 200,
      });
      const past = `update signing.envelope set expires_at = now() - interval '1 minute' where id in
        (select envelope_id from signing.envelope_signer where token_hash = sha256($1::bytea))`;
      await inStore(stack, past, [Buffer.from(signerOf(expired, 'arrendatario').sign_token)]);
      const links = [
        signerOf(voided, 'arrendatario').sign_url,
        signerOf(expired, 'arrendatario').sign_url,
        `${stack.signUrl}/${'A'.repeat(43)}`,
      ];
      const shown = new Set<string>();
      for (const link of links) {
        const person = await at(viewport, locale, link);
        await person.reads(TEXTS['es-CO'].unknown.title, TEXTS.en.unknown.title);
        shown.add(await person.page.locator('body').innerText());
        await person.screen('other-unknown-link');
        await leaves(person);
      }
      expect(shown.size).toBe(1);
    });

    it.each(screens)(
      'say what is wrong with a code, and that the connection is gone: %s %s',
      async (viewport, locale) => {
        const envelope = await sent({ locale });
        const person = await at(viewport, locale, signerOf(envelope, 'arrendatario').sign_url);
        await person.consents();
        await person.reads(person.text.otp.title);
        await person.press(person.text.otp.send);
        const code = await newCode(mailbox, signerOf(envelope, 'arrendatario').email);
        await person.write(person.text.otp.label, code === '000000' ? '000001' : '000000');
        await person.press(person.text.otp.submit);
        await person.page.getByText(person.text.otp.wrong(4)).waitFor();
        await person.screen('other-wrong-code');
        await person.watched.context.setOffline(true);
        await person.write(person.text.otp.label, code);
        await person.press(person.text.otp.submit);
        await person.page.getByText(person.text.notices.unreachable).waitFor();
        await person.screen('other-offline');
        await person.watched.context.setOffline(false);
        await person.press(person.text.otp.submit);
        await person.reads(person.text.read.title);
        person.watched.problems.splice(
          0,
          Infinity,
          ...person.watched.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED')),
        );
        await leaves(person);
      },
    );

    it('have the code mailed in the language that was chosen on the page, whatever that of the envelope', async () => {
      const { email } = signerOf(await sent({ locale: 'es-CO' }), 'arrendatario');
      const link = linkIn(stack, await mailTo(stack, email, INVITATION));
      const { watched } = await at('phone', 'es-CO', link);
      await watched.page.getByRole('button', { name: 'English' }).click();
      const person = new SignerAtPage(watched, 'en', 'pointer');
      await person.consents();
      await person.provesByMail(async () => {
        const mail = await mailTo(stack, email, /your one-time code/);
        expect(mail.text).toContain('(Colombia time, UTC−5)');
        const code = codeIn(mail);
        secrets.push(code);
        return code;
      });
      await person.reads(person.text.read.title);
      await leaves(person);
    });

    it('ask for an access code where the circuit does, and hold in landscape', async () => {
      const parts: Part[] = [
        { role: 'arrendatario', order: 1, auth: ['access_code', 'otp_email'] },
        { role: 'arrendador', order: 1 },
      ];
      const withCode = await publishedCircuit(stack, integrator, { parts, pages: 1 });
      const email = `clave-${++people}@canary.example`;
      const persons = [
        { role: 'arrendatario', email, name: 'Ana', access_code: 'luna-llena-77' },
        { role: 'arrendador', email: `otro-${people}@canary.example`, name: 'Luis' },
      ];
      const envelope = await sendEnvelope(stack, integrator, withCode, persons);
      secrets.push('luna-llena-77', ...envelope.signers.map(({ sign_token }) => sign_token));
      const person = await at('landscape', 'es-CO', signerOf(envelope, 'arrendatario').sign_url);
      await person.consents();
      await person.reads(person.text.accessCode.title);
      await person.write(person.text.accessCode.label, 'otra-cosa');
      await person.press(person.text.accessCode.submit);
      await person.page.getByText(person.text.accessCode.wrong(4)).waitFor();
      await person.screen('other-access-code');
      await person.write(person.text.accessCode.label, 'luna-llena-77');
      await person.press(person.text.accessCode.submit);
      await person.reads(person.text.otp.title);
      await leaves(person);
    });

    it('say that the document is being sealed, and then that it is', async () => {
      const envelope = await sent();
      for (const signer of envelope.signers.slice(0, 1)) await signByHttp(stack, mailbox, signer);
      stack.kms.setMode('5xx');
      try {
        await mailTo(stack, signerOf(envelope, 'arrendador').email, INVITATION);
        await signByHttp(stack, mailbox, signerOf(envelope, 'arrendador'));
        const person = await at('phone', 'es-CO', signerOf(envelope, 'arrendador').sign_url);
        await person.reads(person.text.sealing.title);
        await person.screen('other-sealing');
        stack.kms.setMode('ok');
        await person.reads(person.text.sealed.title);
        await leaves(person);
      } finally {
        stack.kms.setMode('ok');
      }
      await envelopeIn(stack, integrator, envelope.id, ['sealed']);
    });
  });

  it('has every mail of the local stack in a mailbox that can be read on a phone', async () => {
    const { url } = stack.mailbox;
    const watched = await WatchedPage.open(browser, { viewport: 'phone', locale: 'es-CO', origin: url });
    await watched.page.goto(url);
    await watched.screen('mailbox-1-list');
    await watched.page.locator('td.subject a').first().click();
    await watched.page.getByText('(hora de Colombia)').waitFor();
    await watched.screen('mailbox-2-mail');
    await watched.close();
    const logo = `a request off the origin: ${stack.signUrl}/logos/`;
    expect(watched.problems.filter((problem) => !problem.startsWith(logo))).toEqual([]);
  });

  it('shows the first state within a second on a processor four times slower, with at most 150 KB of script', async () => {
    const envelope = await sent();
    const link = signerOf(envelope, 'arrendatario').sign_url;
    const times: number[] = [];
    let kilobytes = 0;
    // Other programs use the processor too: the fastest of some loads counts.
    while (times.length < 6 && !times.some((time) => time < 1_000)) {
      const watched = await WatchedPage.open(browser, { viewport: 'phone', locale: 'es-CO', origin: stack.signUrl });
      const { page } = watched;
      const session = await watched.context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      let bytes = 0;
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'script')
          void request.sizes().then((sizes) => (bytes += sizes.responseBodySize));
      });
      await page.addInitScript(`new MutationObserver(() => {
        if (window.shownAt === undefined && document.querySelector('main h1')) window.shownAt = performance.now();
      }).observe(document, { childList: true, subtree: true });`);
      await page.goto(link);
      await page.locator('h1').filter({ hasText: TEXTS['es-CO'].consent.title }).waitFor();
      await page.waitForLoadState('networkidle');
      times.push(Math.round(await page.evaluate<number>('window.shownAt')));
      kilobytes = Math.round(bytes / 1024);
      await watched.context.close();
    }
    console.log(`first state at ${times.join(', ')} ms with a processor 4 times slower; ${kilobytes} KB of script`);
    expect(Math.min(...times)).toBeLessThan(1_000);
    expect(kilobytes).toBeGreaterThan(0);
    expect(kilobytes).toBeLessThanOrEqual(150);
  });

  it('leaves no token, code, mail address or name in any log', async () => {
    const logs = stack.logs();
    expect(logs.length).toBeGreaterThan(1_000);
    expect(secrets.length).toBeGreaterThan(20);
    const canaries = [
      ...secrets.filter((secret) => secret.length > 6),
      'canary.example',
      'Núñez',
      'Bogotá',
      'canon no es',
    ];
    expect(canaries.filter((canary) => logs.includes(canary))).toEqual([]);
    expect(logs).toContain('/v1/sign/{token}');
  });
});

/** A DataTransfer of the page. */
interface DropOf {
  readonly items: unknown;
}
