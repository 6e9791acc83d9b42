import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { WatchedPage } from '@constancia/testing/watched-page';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH as HOME } from '../../apps/console/src/home/text/english.ts';
import { ENGLISH } from '../../apps/console/src/signing/text/english.ts';
import { SPANISH } from '../../apps/console/src/signing/text/spanish.ts';
import { INVITATION, linkIn, mailTo, tokenOf } from '../web/mailbox-reader.ts';
import { CONSOLE_TEXTS, consoleProblems, loginLink, memberWith, press, visitConsole } from './console-visit.fixture.ts';
import { grantCredits, type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { longContract, publishedCircuit, sendEnvelope, signByHttp } from './envelopes.fixture.ts';

/** Points: the pages of longContract. */
const PAGE_WIDTH = 595;
const MILLIMETRE = 72 / 25.4;

const WORDS = { 'es-CO': SPANISH, en: ENGLISH };
const installed = browserInstalled('tools/e2e/console-sender.full.e2e.spec.ts');

describe.skipIf(!installed)('the console of a sender', () => {
  let stack: TestStack;
  let browser: Browser;
  let contract: { name: string; mimeType: string; buffer: Buffer };

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startDeployment({
        env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000' },
        apps: ['platform', 'compliance', 'signing', 'sealing-worker'],
      }),
      openBrowser(),
    ]);
    contract = { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: await longContract(2) };
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const visit = async (
    owner: Integrator,
    viewport: 'phone' | 'desktop',
    locale: 'es-CO' | 'en',
    role: 'sender' | 'auditor' = 'sender',
  ) => {
    const link = await loginLink(stack, owner.tenantId, await memberWith(stack, role, owner));
    return visitConsole(stack, browser, { viewport, locale, link });
  };
  const open = (page: Page, path: string) => page.goto(`${stack.consoleUrl}${path}`);

  /** Draws a box with the mouse, from a place of the first page to 150 by 40 pixels further. Answers where it is, in points. */
  async function draw(
    page: Page,
    x: number,
    y: number,
  ): Promise<[x: number, y: number, width: number, height: number]> {
    const boxes = page.locator('.boxes').first();
    await boxes.hover({ position: { x, y } });
    await page.mouse.down();
    await boxes.hover({ position: { x: x + 150, y: y + 40 } });
    const shown = (await boxes.boundingBox())!;
    await page.mouse.up();
    const scale = PAGE_WIDTH / shown.width;
    return [x * scale, (shown.height - y - 40) * scale, 150 * scale, 40 * scale];
  }

  /** A little apart: the pointer moves by whole pixels. */
  function expectNear(got: readonly number[], wanted: readonly number[]): void {
    expect(got).toHaveLength(wanted.length);
    const apart = got.map((value, at) => Math.abs(value - wanted[at]!));
    expect(Math.max(...apart), `${got.join(', ')} for ${wanted.join(', ')}`).toBeLessThan(2);
  }

  /** The signer whom a mail reached signs, without the console. */
  async function signs(email: string): Promise<void> {
    const mailbox = (address: string) => stack.mailbox.messages(address);
    const sign_token = tokenOf(linkIn(stack, await mailTo(stack, email, INVITATION)));
    await signByHttp(stack, mailbox, { sign_token, email });
  }

  async function ends(watched: WatchedPage, expected: string[] = [], refusals: number[] = []): Promise<void> {
    const stored = 'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])';
    expect(await watched.page.evaluate<string>(stored)).not.toMatch(/canary|firmantes|mbt_/);
    expect(await consoleProblems(stack, watched, refusals)).toEqual(expected);
  }

  it('a sender places fields on a contract by mouse and by keyboard, sends it to one and to many, and sees it sealed', async () => {
    const [text, words] = [CONSOLE_TEXTS['es-CO'], WORDS['es-CO']];
    const owner = await signUp(stack);
    await grantCredits(stack, owner);
    const watched = await visit(owner, 'desktop', 'es-CO');
    const { page } = watched;
    const dialog = page.getByRole('dialog');
    await page.getByRole('navigation').getByRole('link', { name: text.navigation.entries.circuits }).click();
    await page.getByText(words.circuits.empty).waitFor();
    await press(page, words.circuits.create);
    await dialog.getByLabel(words.name, { exact: true }).fill('Contrato de arrendamiento');
    await dialog.getByLabel(words.pdf.label).setInputFiles(contract);
    await watched.screen('console-sender-1-new-circuit');
    await dialog.getByRole('button', { name: words.circuits.create }).click();

    await press(page, words.circuits.addSigner);
    await page.locator('.picture canvas').first().waitFor();
    const drawn = await draw(page, 60, 420);
    const placed = page.locator('.placed');
    await placed.first().waitFor();
    await page.getByLabel(words.circuits.type).first().selectOption('name');
    await press(page, words.editor.add);
    await placed.nth(1).and(page.locator(':focus')).waitFor();
    const left = page.getByRole('spinbutton', { name: words.editor.members.x });
    const before = Number(await left.inputValue());
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => Number(await left.inputValue())).toBeCloseTo(before + 9 * MILLIMETRE, 1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowLeft');
    const widthBox = page.getByRole('spinbutton', { name: words.editor.members.width });
    await expect.poll(async () => Number(await widthBox.inputValue())).toBeCloseTo(180 - 10 * MILLIMETRE, 1);
    await page.getByRole('spinbutton', { name: words.editor.members.y }).fill('9000');
    await page.getByText(words.editor.leaves).waitFor();
    await page.getByRole('spinbutton', { name: words.editor.members.y }).fill('300');
    await watched.screen('console-sender-2-fields');
    await page.setViewportSize({ width: 768, height: 1000 });
    await watched.screen('console-sender-2-fields-768');
    await page.setViewportSize({ width: 1440, height: 900 });
    await watched.screen('console-sender-2-fields-1440');
    await press(page, words.editor.preview);
    await page.getByText(words.samples.name).first().waitFor();
    await watched.screen('console-sender-3-preview');
    await press(page, words.circuits.publish);
    await dialog.getByRole('button', { name: words.circuits.publish }).click();
    await page.getByText(words.circuits.statuses.published, { exact: true }).first().waitFor();
    const { data: circuits } = await owner.signing.GET('/v1/circuits', { params: { query: { limit: 1 } } });
    const [signature, name] = circuits!.data[0]!.fields;
    expect([signature?.type, signature?.page, name?.type, name?.page]).toEqual(['signature', 1, 'name', 1]);
    const { x, y, width, height } = signature!;
    expectNear([x, y, width, height], drawn);
    expectNear(
      [name!.x, name!.y, name!.width, name!.height],
      [before + 9 * MILLIMETRE, 300, 180 - 10 * MILLIMETRE, 18],
    );

    await page.getByRole('link', { name: words.circuits.send }).click();
    await page.getByLabel(words.send.email, { exact: true }).fill('ana@firmantes.example');
    await page.getByLabel(words.send.personName, { exact: true }).fill('Ana María Núñez');
    await watched.screen('console-sender-4-one');
    await press(page, words.send.submit);
    await page.getByRole('heading', { level: 1, name: words.envelopes.one }).waitFor();
    await page.getByText(words.trail.holds).waitFor();
    const envelope = page.url();

    await page.getByRole('navigation').getByRole('link', { name: text.navigation.entries.envelopes }).click();
    await page.getByRole('link', { name: words.envelopes.send }).click();
    await page.getByLabel(words.send.circuit, { exact: true }).selectOption({ index: 1 });
    await page.getByLabel(words.send.many).check();
    const table = page.getByRole('textbox', { name: words.send.table, exact: true });
    await table.fill('email;name\nluis@firmantes.example;Luis\nmaria@@firmantes.example;María');
    await press(page, words.send.check);
    await page.getByText(words.send.faults.email).waitFor();
    await watched.screen('console-sender-5-checked');
    const people = 'email;name\nluis@firmantes.example;Luis\nmaria@firmantes.example;María';
    await table.fill(people);
    await press(page, words.send.check);
    // The answer to the first one is lost: it is sent again as the same request.
    let lost = 0;
    await page.route('**/v1/envelopes', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await press(page, words.send.sendMany('2', '80'));
    await page.getByText(words.send.states.unknown).waitFor();
    await watched.screen('console-sender-6-unknown');
    await press(page, words.send.again);
    await page.getByText(words.send.allSent).waitFor();
    await watched.screen('console-sender-7-many');
    // The same table once more, as after a crash: nothing is sent or charged twice.
    await press(page, words.send.another);
    await table.fill(people);
    await press(page, words.send.check);
    await press(page, words.send.sendMany('2', '80'));
    await page.getByText(words.send.sentBefore('2')).waitFor();
    await page.getByRole('link', { name: words.send.toEnvelopes }).click();
    await page.waitForURL(`${stack.consoleUrl}/signing/envelopes`);
    await expect.poll(() => page.locator('.records-body [role="row"]').count()).toBe(3);
    await watched.screen('console-sender-8-envelopes');

    await signs('ana@firmantes.example');
    await page.goto(envelope);
    await page.getByRole('button', { name: words.envelopes.download }).waitFor();
    await page.getByText(words.trail.events['envelope.sealed']).waitFor();
    await page.getByText(words.trail.holds).waitFor();
    await watched.screen('console-sender-9-sealed');
    const saved = page.waitForEvent('download');
    await press(page, words.envelopes.download);
    expect((await saved).suggestedFilename()).toBe('Contrato de arrendamiento.pdf');
    await ends(watched, ['console error: Failed to load resource: net::ERR_FAILED']); // the lost answer
  }, 180_000);

  it('a sender sees what somebody else changed and loses nothing typed; reminds and voids an envelope (phone, en)', async () => {
    const words = WORDS.en;
    const owner = await signUp(stack);
    await grantCredits(stack, owner);
    const circuit = await publishedCircuit(stack, owner, { parts: [{ role: 'buyer', order: 1 }] });
    const people = [{ role: 'buyer', email: 'ben@firmantes.example', name: 'Ben' }];
    const [first, second] = [
      await sendEnvelope(stack, owner, circuit, people),
      await sendEnvelope(stack, owner, circuit, people),
    ];
    const watched = await visit(owner, 'phone', 'en');
    const { page } = watched;
    const dialog = page.getByRole('dialog');

    await open(page, '/home');
    const waiting = page.locator('.card').filter({ has: page.getByRole('heading', { name: HOME.envelopes.title }) });
    await waiting.locator('li').first().waitFor();
    expect(
      await waiting.locator('li a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual([first, second].map(({ id }) => `/signing/envelopes/${id}`));
    await watched.screen('console-sender-9-home');
    await waiting.getByRole('link', { name: HOME.envelopes.all }).click();
    await page.getByRole('heading', { level: 1, name: words.envelopes.title }).waitFor();
    expect(await page.getByLabel(words.envelopes.status, { exact: true }).inputValue()).toBe('waiting');
    await page.locator('.records-body').getByRole('link').nth(1).waitFor();

    await open(page, `/signing/envelopes/${first.id}`);
    await press(page, words.envelopes.remindOf('Ben'));
    await dialog.getByRole('button', { name: words.envelopes.remind }).click();
    await page.getByText(words.trail.events['signer.reminded']).waitFor();
    await press(page, words.envelopes.void);
    await dialog.getByLabel(words.envelopes.reason).fill('The price changed');
    await watched.screen('console-sender-10-void');
    await dialog.getByRole('button', { name: words.envelopes.void }).click();
    await page.getByText(words.envelopes.voidedLead).first().waitFor();
    await watched.screen('console-sender-11-voided');

    await open(page, `/signing/envelopes/${second.id}`);
    await press(page, words.envelopes.void);
    await dialog.getByLabel(words.envelopes.reason).fill('Sent by mistake');
    const params = { path: { id: second.id } };
    await owner.signing.POST('/v1/envelopes/{id}/void', { params, body: { reason: 'Another one was first' } });
    await dialog.getByRole('button', { name: words.envelopes.void }).click();
    await dialog.getByText(words.envelopes.changed(words.envelopes.statuses.voided)).waitFor();
    expect(await dialog.getByLabel(words.envelopes.reason).inputValue()).toBe('Sent by mistake');
    await page.keyboard.press('Escape');
    await page.getByText('Another one was first').first().waitFor();

    const cloned = await owner.signing.POST('/v1/circuits/{id}/clone', { params: { path: { id: circuit } } });
    const draft = cloned.data!;
    await open(page, `/signing/circuits/${draft.id}`);
    await page.getByRole('spinbutton', { name: words.circuits.order }).fill('7');
    await owner.signing.PUT('/v1/circuits/{id}/definition', {
      params: { path: { id: draft.id } },
      body: { signers: draft.signers, fields: [], document_access: 'link' },
    });
    await press(page, words.circuits.save);
    await page.getByText(words.circuits.changed).waitFor();
    expect(await page.getByRole('spinbutton', { name: words.circuits.order }).inputValue()).toBe('7');
    await watched.screen('console-sender-12-changed');
    await press(page, words.circuits.overwrite);
    await press(page, words.circuits.save);
    await page.getByText(words.circuits.saved).waitFor({ state: 'attached' });
    expect(await page.getByText(words.circuits.changed).count()).toBe(0);
    const { data: overwritten } = await owner.signing.GET('/v1/circuits/{id}', { params: { path: { id: draft.id } } });
    expect(overwritten!.signers.map(({ order }) => order)).toEqual([7]);
    expect(overwritten!.fields.map(({ key }) => key)).toEqual(draft.fields.map(({ key }) => key));

    // Published by somebody else: what is typed stays, and becomes the next version.
    await page.getByLabel(words.circuits.order).fill('8');
    await owner.signing.POST('/v1/circuits/{id}/publish', { params: { path: { id: draft.id } } });
    await press(page, words.circuits.save);
    await page.getByText(words.circuits.publishedMeanwhile).waitFor();
    expect(await page.getByLabel(words.circuits.order).inputValue()).toBe('8');
    await press(page, words.circuits.carryOver);
    await page.getByText(words.circuits.statuses.draft, { exact: true }).waitFor();
    const { data: latest } = await owner.signing.GET('/v1/circuits', { params: { query: { status: 'draft' } } });
    expect(latest!.data.map(({ signers }) => signers[0]?.order)).toEqual([8]);

    // Discarded with what was typed and not saved: nothing of it is asked for.
    await page.getByLabel(words.circuits.order).fill('9');
    await press(page, words.circuits.discard);
    await dialog.getByText(words.circuits.discardLead).waitFor();
    await watched.screen('console-sender-12-discard');
    await press(dialog, words.circuits.discard);
    await page.waitForURL((url) => url.pathname === '/signing/circuits');
    const { data: left } = await owner.signing.GET('/v1/circuits');
    expect(left!.data.map(({ status }) => status)).toEqual(['published', 'deprecated']);

    await open(page, '/signing/templates/new');
    await page.getByLabel(words.name, { exact: true }).fill('Receipt');
    await page.getByLabel(words.pdf.label).setInputFiles(contract);
    await page.locator('.picture canvas').first().waitFor();
    await press(page, words.editor.add);
    await page.keyboard.press('Shift+ArrowDown');
    await watched.screen('console-sender-13-template');
    await press(page, words.templates.save);
    await page.getByRole('heading', { level: 1, name: words.templates.one }).waitFor();
    await page.locator('.picture canvas').first().waitFor();
    await watched.screen('console-sender-14-template');

    await press(page, words.documents.seal);
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: words.documents.seal }).click();
    expect(await form.isVisible()).toBe(true); // the reference and the text are required
    await form.getByLabel(words.documents.reference).fill('receipt-1');
    await form.getByLabel(words.templates.fieldKey, { exact: true }).fill('COP 1.250.000');
    await watched.screen('console-sender-15-seal');
    await form.getByRole('button', { name: words.documents.seal }).click();
    await page.getByText(words.documents.statuses.signed, { exact: true }).first().waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, words.documents.download)]);
    expect(file.suggestedFilename()).toMatch(/^sig_\w+\.pdf$/);
    await watched.screen('console-sender-16-sealed');
    await open(page, '/signing/documents?status=signed');
    await page.getByRole('link', { name: 'receipt-1' }).waitFor();
    await open(page, '/signing/documents?status=failed');
    await page.getByText(words.documents.noMatch).waitFor();
    await open(page, '/signing/templates');
    await page.getByRole('link', { name: 'Receipt' }).waitFor();
    await ends(watched, [], [409]);

    const reader = await visit(owner, 'phone', 'en', 'auditor');
    for (const path of ['/signing/send', '/signing/templates/new']) {
      await open(reader.page, path);
      await reader.page.getByText(CONSOLE_TEXTS.en.problems.forbidden!).waitFor();
      expect(await reader.page.getByRole('main').getByRole('button').count()).toBe(0);
    }
    await ends(reader);
  }, 180_000);
});
