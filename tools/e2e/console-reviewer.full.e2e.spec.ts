import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { WatchedPage } from '@constancia/testing/watched-page';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH as FLOWS_EN } from '../../apps/console/src/identity/flows/text/english.ts';
import { SPANISH as FLOWS_ES } from '../../apps/console/src/identity/flows/text/spanish.ts';
import { ENGLISH } from '../../apps/console/src/identity/text/english.ts';
import { SPANISH } from '../../apps/console/src/identity/text/spanish.ts';
import { ENGLISH as PERSONS_EN } from '../../apps/console/src/persons/text/english.ts';
import { SPANISH as PERSONS_ES } from '../../apps/console/src/persons/text/spanish.ts';
import {
  CONSOLE_TEXTS,
  consoleProblems,
  loginLink,
  memberWith,
  openSection,
  press,
  visitConsole,
} from './console-visit.fixture.ts';
import { type Integrator, inStore, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { cedulaOf, Onboarding, readyForOnboarding } from './identity.fixture.ts';

const WORDS = {
  'es-CO': { ...SPANISH, flows: FLOWS_ES, persons: PERSONS_ES },
  en: { ...ENGLISH, flows: FLOWS_EN, persons: PERSONS_EN },
};
/** A number of the sandbox that flags the document: everything passes, and a person decides. */
const DOUBTFUL = { documentNumber: '1999000008', surname1: 'QUIÑONES', surname2: 'OQUENDO', givenName1: 'XIOMARA', givenName2: 'ZORAIDA', birthDate: '1988-03-14' }; // prettier-ignore
const installed = browserInstalled('tools/e2e/console-reviewer.full.e2e.spec.ts');

describe.skipIf(!installed)('the console of a reviewer', { timeout: 300_000 }, () => {
  let stack: TestStack;
  let browser: Browser;
  let selfie: Buffer;

  beforeAll(async () => {
    selfie = await sharp({ create: { width: 720, height: 960, channels: 3, background: '#8a6f5c' } })
      .jpeg()
      .toBuffer();
    [stack, browser] = await Promise.all([
      startDeployment({
        env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000' },
        apps: ['platform', 'compliance', 'signing'],
      }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  /** A session in manual_review with pictures of its own. Sandbox triggers look at none, so the store is changed to name them. */
  async function sessionInReview(owner: Integrator, ref: string): Promise<Onboarding> {
    const person = await Onboarding.open(stack, owner, DOUBTFUL, ref);
    await person.consent();
    await person.document(await cedulaOf(DOUBTFUL, selfie));
    await person.face(selfie);
    const { body } = await person.advance({});
    expect(body.status).toBe('manual_review');
    await inStore(
      stack,
      `update identity.step_run r set input = r.input || p.pictures
         from (select subject_id, jsonb_object_agg(kind, id) as pictures from identity.asset group by subject_id) p
        where r.session_id = (select id from identity.flow_session where tenant_id = $1 and external_ref = $2)
          and p.subject_id = r.subject_id`,
      [owner.tenantId, ref],
    );
    return person;
  }

  it.each([
    ['desktop', 'es-CO'],
    ['phone', 'en'],
  ] as const)(
    'the reviewer compares document and selfie and decides; when somebody was faster they lose nothing (%s, %s)',
    async (viewport, locale) => {
      const words = WORDS[locale];
      const { review } = words;
      const owner = await signUp(stack);
      await readyForOnboarding(owner);
      const [one, other] = [await sessionInReview(owner, 'cliente-1'), await sessionInReview(owner, 'cliente-2')];
      const email = await memberWith(stack, 'analyst', owner);
      const link = await loginLink(stack, owner.tenantId, email);
      const watched = await visitConsole(stack, browser, { viewport, locale, link });
      const { page } = watched;
      const dialog = page.getByRole('dialog');

      await page.getByRole('link', { name: 'cliente-1', exact: true }).waitFor(); // Home lists what waits
      await watched.screen('console-reviewer-0-home');
      await openSection(page, CONSOLE_TEXTS[locale], 'reviews');
      await page.getByRole('link', { name: one.id }).waitFor();
      await watched.screen('console-reviewer-1-reviews');
      await page.getByRole('link', { name: one.id }).click();
      await page
        .getByText(words.reasons.name_unconfirmed as string)
        .first()
        .waitFor();
      for (const name of Object.values(review.pictures)) {
        const image = page.getByRole('img', { name, exact: true });
        await image.waitFor();
        await expect
          .poll(() => image.evaluate((img) => (img as { naturalWidth?: number }).naturalWidth))
          .toBeGreaterThan(100);
        expect(await image.getAttribute('src')).toMatch(/^blob:/);
      }
      const percent = (share: number) => new Intl.NumberFormat(locale, { style: 'percent' }).format(share);
      const view = page.getByRole('group', { name: review.zoomOf(review.pictures.selfie, percent(1)) });
      await view.focus();
      await page.keyboard.press('+');
      await page.getByRole('group', { name: review.zoomOf(review.pictures.selfie, percent(1.5)) }).waitFor();
      await page.keyboard.press('0');
      await press(page, review.biggerOf(review.pictures.doc_front));
      await watched.screen('console-reviewer-2-pictures');
      await press(page, review.approve);
      await dialog.getByLabel(review.reason).fill('Llamé al cliente: el documento es suyo.');
      await watched.screen('console-reviewer-3-decide');
      await dialog.getByRole('button', { name: review.approve, exact: true }).click();
      await page.getByText(review.over.completed).waitFor();
      await page.getByText('Llamé al cliente: el documento es suyo.').waitFor();
      expect(await page.getByRole('button', { name: review.approve, exact: true }).count()).toBe(0);
      await watched.screen('console-reviewer-4-decided');

      await openSection(page, CONSOLE_TEXTS[locale], 'reviews');
      await page.getByRole('link', { name: other.id }).click();
      await press(page, review.approve);
      await dialog.getByLabel(review.reason).fill('Es la misma persona.');
      await owner.platform.POST('/v1/flows/sessions/{id}/review', {
        params: { path: { id: other.id } },
        body: { decision: 'reject', reason: 'El documento está alterado.' },
      });
      await dialog.getByRole('button', { name: review.approve, exact: true }).click();
      await dialog.getByText(review.conflicts.overtaken).waitFor();
      await dialog.getByText('El documento está alterado.').waitFor();
      expect(await dialog.getByLabel(review.reason).inputValue()).toBe('Es la misma persona.');
      await watched.screen('console-reviewer-5-overtaken');

      const { data } = await owner.platform.GET('/v1/audit-log', {
        params: { query: { action: 'session_picture.read' } },
      });
      expect(
        (data as { data: { object: { id: string }; after: { kind: string } | null }[] }).data
          .filter(({ object }) => object.id === one.id)
          .map(({ after }) => after?.kind)
          .sort(),
      ).toEqual(['doc_back', 'doc_front', 'selfie']);
      expect(await consoleProblems(stack, watched)).toEqual([]);
    },
  );

  /** The owner on a tablet, or a phone. */
  async function visitOwner(owner: Integrator, locale: keyof typeof WORDS): Promise<WatchedPage> {
    const link = await loginLink(stack, owner.tenantId, owner.ownerEmail);
    const viewport = locale === 'en' ? 'phone' : 'desktop';
    const watched = await visitConsole(stack, browser, { viewport, locale, link });
    if (viewport === 'desktop') await watched.page.setViewportSize({ width: 768, height: 1024 });
    return watched;
  }

  it.each(['es-CO', 'en'] as const)(
    'a capture link is created, a flow is changed, a client gets its secret once, and a subject is erased with a receipt (%s)',
    async (locale) => {
      const text = CONSOLE_TEXTS[locale];
      const words = WORDS[locale];
      const { link, flows, erasure } = words;
      const { clients, consents } = words.persons;
      const owner = await signUp(stack);
      await readyForOnboarding(owner);
      const watched = await visitOwner(owner, locale);
      const { page } = watched;
      const dialog = page.getByRole('dialog');
      const send = (name: string) => dialog.getByRole('button', { name, exact: true }).click();

      await openSection(page, CONSOLE_TEXTS[locale], 'identitySessions');
      await page.getByText(words.session.empty).waitFor();
      await press(page, link.create);
      await dialog.getByLabel(link.documentNumber).fill('1999000001');
      await dialog.getByLabel(link.reference, { exact: true }).fill('cliente-9');
      await watched.screen('console-reviewer-6-link');
      await send(link.create);
      await dialog.getByRole('img', { name: link.qr }).waitFor();
      const captureUrl = await dialog.locator('.secret').innerText();
      expect(captureUrl).toMatch(/#cpt_/);
      await watched.screen('console-reviewer-7-link-created');
      await dialog.getByRole('link', { name: link.show }).click();
      await page.getByRole('heading', { level: 1, name: words.session.one, exact: true }).waitFor();
      await page.getByText('cliente-9').waitFor();
      expect(await page.content()).not.toContain('cpt_');
      await watched.screen('console-reviewer-8-session');

      await openSection(page, CONSOLE_TEXTS[locale], 'flows');
      await page.getByRole('link', { name: 'onboarding / default' }).click();
      await press(page, flows.clone);
      await page.getByText(flows.cloned).first().waitFor({ state: 'attached' });
      await owner.platform.PUT('/v1/flows/{id}/steps', {
        params: { path: { id: new URL(page.url()).pathname.split('/').pop() ?? '' } },
        body: { steps: [{ step_type: 'consent', required: true, config: {} }] },
      });
      await press(page, text.save);
      await page.getByText(flows.changed).waitFor(); // somebody was faster; what is here stays
      await press(page, flows.downOf(words.steps.face_match));
      await press(page, text.save);
      await page.getByText(flows.faults.wrong_order).first().waitFor();
      await watched.screen('console-reviewer-9-flow-refused');
      await press(page, flows.upOf(words.steps.face_match));
      await page.getByLabel(flows.options.liveness_mode, { exact: true }).selectOption('active');
      await page.getByLabel(flows.options.accept).fill('0,99');
      await press(page, text.save);
      await page.getByText(flows.faults.threshold).waitFor();
      await page.evaluate('history.back()');
      await dialog.getByRole('heading', { name: text.leave.title }).waitFor();
      await send(text.leave.stay);
      expect(await page.getByLabel(flows.options.accept).inputValue()).toBe('0,99');
      await page.getByLabel(flows.options.accept).fill('');
      await press(page, flows.publish);
      await send(flows.publish);
      await page.getByText(flows.statuses.published, { exact: true }).waitFor();
      await page.getByText(flows.livenessModes.active).waitFor();
      await watched.screen('console-reviewer-10-flow');

      await openSection(page, CONSOLE_TEXTS[locale], 'clients');
      await press(page, clients.create);
      await dialog.getByLabel(clients.name, { exact: true }).fill('Banca en línea');
      await dialog.getByLabel(clients.redirects).fill('https://app.example.com/callback');
      await dialog.getByLabel(clients.scopeTexts.kyc).check();
      await watched.screen('console-reviewer-11-client');
      await send(clients.create);
      await dialog.getByRole('heading', { name: clients.created }).waitFor();
      const secret = await dialog.locator('.secret').innerText();
      await watched.screen('console-reviewer-12-secret');
      await send(text.secret.stored);
      await page.getByText('Banca en línea').first().waitFor();
      expect(await page.content()).not.toContain(secret);
      await watched.screen('console-reviewer-13-clients');

      await openSection(page, text, 'consents');
      await press(page, consents.create);
      await dialog.getByLabel(consents.purpose, { exact: true }).fill('Abrir su cuenta');
      await send(consents.create);
      await dialog.getByRole('img', { name: consents.qr }).waitFor();
      await dialog.getByRole('link', { name: consents.show }).click();
      await page.getByText(consents.statuses.pending).waitFor();
      await watched.screen('console-reviewer-14-request');

      await openSection(page, CONSOLE_TEXTS[locale], 'subjects');
      await page.locator('.records-body').getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: words.subject.one, exact: true }).waitFor();
      await press(page, erasure.erase);
      await dialog.getByLabel(erasure.confirm).fill(erasure.word);
      await watched.screen('console-reviewer-15-erase');
      await send(erasure.erase);
      await page.getByRole('heading', { level: 1, name: erasure.title }).waitFor();
      await page.getByRole('heading', { name: erasure.modules.identity }).waitFor();
      await watched.screen('console-reviewer-16-receipt');
      expect(page.url()).toMatch(/\/identity\/erasures\/rcp_\w{26}$/);
      expect(await consoleProblems(stack, watched, [400, 409])).toEqual([]);
    },
  );
});
