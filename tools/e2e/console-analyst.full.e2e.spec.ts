import { readFile } from 'node:fs/promises';
import { demoContract } from '@constancia/dev-servers/demo-contract';
import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { WatchedPage } from '@constancia/testing/watched-page';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH } from '../../apps/console/src/cases/text/english.ts';
import { ENGLISH as NOTIFIED_ENGLISH } from '../../apps/console/src/notifications/text/english.ts';
import { SPANISH as NOTIFIED_SPANISH } from '../../apps/console/src/notifications/text/spanish.ts';
import { SPANISH } from '../../apps/console/src/cases/text/spanish.ts';
import {
  CONSOLE_TEXTS,
  consoleProblems,
  loginLink,
  memberWith,
  openFilters,
  press,
  visitConsole,
} from './console-visit.fixture.ts';
import { type Integrator, NO_LIMITS, startDeployment } from './deployment.fixture.ts';
import { LISTED, screenListedName, tenantWithRules } from './owned-resources.fixture.ts';

const WORDS = { 'es-CO': SPANISH, en: ENGLISH };
const NOTIFICATIONS = { 'es-CO': NOTIFIED_SPANISH, en: NOTIFIED_ENGLISH };
const LISTED_NAME = LISTED.full_name;
interface CasePath {
  path: { id: string };
}
const installed = browserInstalled('tools/e2e/console-analyst.full.e2e.spec.ts');

describe.skipIf(!installed)('the console of an analyst and a supervisor', () => {
  let stack: TestStack;
  let browser: Browser;

  beforeAll(async () => {
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

  /** A tenant that demands two people, with a case about a listed name; answers the tenant and the id of the case. */
  async function tenantWithCase(): Promise<{ owner: Integrator; caseId: string }> {
    const owner = await tenantWithRules(stack);
    await owner.compliance.PUT('/v1/compliance-settings', { body: { four_eyes: 'all' } });
    const screening = await screenListedName(owner, 'cliente-77', { amount: 1_250_000, currency: 'COP' });
    return { owner, caseId: screening.case_id as string };
  }

  /** By keyboard as far as a browser lets a test choose a file. */
  async function attachAndSave(visit: WatchedPage, words: typeof ENGLISH): Promise<void> {
    const { page } = visit;
    await page.getByRole('button', { name: words.actions.attach }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const file = dialog.getByLabel(words.attachments.file);
    await file.setInputFiles({ name: 'cédula.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
    await dialog.getByRole('button', { name: words.actions.attach }).click();
    await dialog.getByText(words.attachments.faults.invalid_pdf).waitFor();
    await file.setInputFiles({ name: 'cédula.pdf', mimeType: 'application/pdf', buffer: demoContract() });
    await dialog.getByRole('button', { name: words.actions.attach }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.timeline').getByText('cédula.pdf').waitFor();
    const saved = page.waitForEvent('download');
    await press(page, words.report.open);
    const pdf = await readFile(await (await saved).path());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await visit.screen('console-analyst-2-attached');
  }

  it.each([
    ['desktop', 'es-CO'],
    ['phone', 'en'],
  ] as const)(
    'an analyst proposes to clear a listed name, a supervisor confirms it, and neither loses what they wrote (%s, %s)',
    async (viewport, locale) => {
      const words = WORDS[locale];
      const text = CONSOLE_TEXTS[locale];
      const { owner, caseId } = await tenantWithCase();
      expect(caseId).toMatch(/^cas_/);
      const [analyst, supervisor] = await Promise.all([
        memberWith(stack, 'analyst', owner),
        memberWith(stack, 'supervisor', owner),
      ]);
      const visit = async (email: string) =>
        visitConsole(stack, browser, { viewport, locale, link: await loginLink(stack, owner.tenantId, email) });
      const first = await visit(analyst);
      const { page } = first;
      await page.goto(`${stack.consoleUrl}/cases`);
      await page.getByRole('link', { name: LISTED_NAME }).waitFor();
      await first.screen('console-analyst-1-cases');
      await openFilters(page);
      await page.getByLabel(words.search).fill('Inexistente');
      await page.keyboard.press('Enter');
      await page.getByText(words.empty).waitFor();
      await page.getByLabel(words.search).fill(LISTED_NAME.split(' ')[0] as string);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: LISTED_NAME }).waitFor();
      expect(page.url()).toBe(`${stack.consoleUrl}/cases`); // no name in the address
      await page.getByRole('link', { name: LISTED_NAME }).click();
      await page.getByRole('heading', { name: words.hits }).waitFor();
      await page.getByText(words.words).first().waitFor();
      await page.getByText(locale === 'en' ? 'COP 1,250,000' : 'COP 1.250.000').waitFor();
      expect(await page.title()).toBe(`${words.one} ${caseId} · Constancia`);
      await first.screen('console-analyst-2-case');

      await press(page, words.actions.assign);
      await page.getByRole('button', { name: words.actions.release }).waitFor();
      await attachAndSave(first, words);
      await press(page, words.actions.resolve);
      const dialog = page.getByRole('dialog');
      await dialog.getByText(words.secondPerson).waitFor();
      await dialog.getByLabel(words.decision).selectOption('false_positive');
      await dialog.getByLabel(words.facts.birth_date).check();
      await dialog.getByLabel(words.reason).fill('Nació en otro año.');
      // Somebody else is faster: a program comments on the case.
      const params = { path: { id: caseId } };
      await owner.compliance.POST('/v1/cases/{id}/comment', { params, body: { body: 'Revisado por el área legal.' } });
      await dialog.getByRole('button', { name: words.actions.propose }).click();
      await dialog.getByText(text.problems['state-conflict'] as string).waitFor();
      expect(await dialog.getByLabel(words.reason).inputValue()).toBe('Nació en otro año.');
      await dialog.getByRole('heading', { name: words.news }).waitFor();
      await dialog.getByText('Revisado por el área legal.').waitFor();
      await first.screen('console-analyst-3-changed');
      await dialog.getByRole('button', { name: words.actions.propose }).click();
      await page.getByText(words.statuses.pending_approval).first().waitFor();
      await page.getByText('Revisado por el área legal.').waitFor();
      expect(await page.getByRole('button', { name: words.actions.confirm }).count()).toBe(0);
      await press(page, words.actions.withdraw);
      await dialog.getByText(words.withdrawHint).waitFor();
      await first.screen('console-analyst-3-withdraw');
      await press(dialog, words.actions.withdraw);
      await page.locator('.timeline').getByText(words.events.resolution_withdrawn).waitFor();
      await press(page, words.actions.resolve);
      await dialog.getByLabel(words.decision).selectOption('false_positive');
      await dialog.getByLabel(words.facts.birth_date).check();
      await dialog.getByLabel(words.reason).fill('Nació en otro año y en otro país.');
      await dialog.getByRole('button', { name: words.actions.propose }).click();
      await page.getByText(words.statuses.pending_approval).first().waitFor();

      const second = await visit(supervisor);
      await second.page.getByRole('link', { name: text.bell(1), exact: true }).click();
      const waits = second.page.getByRole('link', { name: NOTIFICATIONS[locale].kinds.case_awaiting_approval });
      await second.page.getByText(NOTIFICATIONS[locale].settled).waitFor(); // what was withdrawn
      await second.screen('console-analyst-4-notified');
      await waits.first().click();
      await second.page.waitForURL((url) => url.pathname === `/cases/${caseId}`);
      await press(second.page, words.actions.confirm);
      await second.screen('console-analyst-4-confirm');
      await second.page.getByRole('dialog').getByRole('button', { name: words.actions.confirm }).click();
      await second.page.getByText(words.statuses.resolved).first().waitFor();
      await second.screen('console-analyst-5-resolved');
      const { data } = await owner.compliance.GET('/v1/cases/{id}', { params });
      expect(data).toMatchObject({ status: 'resolved', chain_valid: true, resolution: { decision: 'false_positive' } });
      expect([...(await consoleProblems(stack, first, [400, 409])), ...(await consoleProblems(stack, second))]).toEqual(
        [],
      );
    },
    120_000,
  );

  it('many cases are assigned by keyboard: a resolved one cannot be chosen, and one that changed meanwhile is left', async () => {
    const words = WORDS.en;
    const owner = await tenantWithRules(stack);
    const caseIds: string[] = [];
    for (const subjectRef of ['cliente-1', 'cliente-2', 'cliente-3'])
      caseIds.push((await screenListedName(owner, subjectRef)).case_id as string);
    const [resolved, changed, free] = caseIds.map((id) => ({ path: { id } })) as [CasePath, CasePath, CasePath];
    const { response } = await owner.compliance.POST('/v1/cases/{id}/resolve', {
      params: resolved,
      body: { decision: 'false_positive', reason: 'Nació en otro año.', discriminating_data: ['birth_date'] },
    });
    expect(response.status).toBe(200);
    const link = await loginLink(stack, owner.tenantId, await memberWith(stack, 'analyst', owner));
    const visit = await visitConsole(stack, browser, { viewport: 'phone', locale: 'en', link });
    const { page } = visit;
    const focused = () => page.locator(':focus').textContent();
    await page.goto(`${stack.consoleUrl}/cases`);
    await page.getByRole('link', { name: LISTED_NAME }).first().waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(2);
    await page.getByRole('button', { name: words.bulk.all(2, '2') }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(words.bulk.chosen(2, '2')).waitFor();
    expect(await focused()).toBe(words.bulk.none);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(words.bulk.assign);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(words.bulk.onlyHolders).waitFor();
    await visit.screen('console-analyst-6-assign');
    await owner.compliance.POST('/v1/cases/{id}/comment', { params: changed, body: { body: 'Revisado.' } });
    await dialog.getByRole('combobox', { name: words.assignee }).focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(words.bulk.submit);
    await page.keyboard.press('Enter');
    await dialog.getByText(words.bulk.problems['state-conflict']).waitFor();
    await page.keyboard.press('Enter'); // on the only button
    await dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe(words.bulk.assign);
    await page.getByText(words.bulk.chosen(1, '1')).waitFor();
    const assigneeOf = async (params: CasePath) =>
      (await owner.compliance.GET('/v1/cases/{id}', { params })).data?.assignee;
    expect([await assigneeOf(free), await assigneeOf(changed)]).toEqual(['Ana Ruiz (analyst)', null]);
    expect(await consoleProblems(stack, visit)).toEqual([]);
  }, 60_000);
});
