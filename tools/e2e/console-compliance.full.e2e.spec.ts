import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { WatchedPage } from '@constancia/testing/watched-page';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH as CASES_ENGLISH } from '../../apps/console/src/cases/text/english.ts';
import { SPANISH as CASES_SPANISH } from '../../apps/console/src/cases/text/spanish.ts';
import { ENGLISH as LISTS_ENGLISH } from '../../apps/console/src/lists/text/english.ts';
import { SPANISH as LISTS_SPANISH } from '../../apps/console/src/lists/text/spanish.ts';
import { ENGLISH as NOTIFICATIONS_ENGLISH } from '../../apps/console/src/notifications/text/english.ts';
import { SPANISH as NOTIFICATIONS_SPANISH } from '../../apps/console/src/notifications/text/spanish.ts';
import { ENGLISH as SCREENINGS_ENGLISH } from '../../apps/console/src/screenings/text/english.ts';
import { SPANISH as SCREENINGS_SPANISH } from '../../apps/console/src/screenings/text/spanish.ts';
import { CONSOLE_TEXTS, consoleProblems, loginLink, memberWith, press, visitConsole } from './console-visit.fixture.ts';
import { type Integrator, NO_LIMITS, startDeployment } from './deployment.fixture.ts';
import { LISTED, screenListedName, tenantWithRules } from './owned-resources.fixture.ts';

const SCREENINGS = { 'es-CO': SCREENINGS_SPANISH, en: SCREENINGS_ENGLISH };
const LISTS = { 'es-CO': LISTS_SPANISH, en: LISTS_ENGLISH };
const CASES = { 'es-CO': CASES_SPANISH, en: CASES_ENGLISH };
const NOTIFICATIONS = { 'es-CO': NOTIFICATIONS_SPANISH, en: NOTIFICATIONS_ENGLISH };
const installed = browserInstalled('tools/e2e/console-compliance.full.e2e.spec.ts');

describe.skipIf(!installed)('the compliance screens of the console', () => {
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

  async function visitAs(
    owner: Integrator,
    role: 'supervisor',
    [viewport, locale]: readonly ['desktop' | 'phone', 'es-CO' | 'en'],
  ): Promise<WatchedPage> {
    const link = await loginLink(stack, owner.tenantId, await memberWith(stack, role, owner));
    return visitConsole(stack, browser, { viewport, locale, link });
  }

  it.each([
    ['desktop', 'es-CO'],
    ['phone', 'en'],
  ] as const)(
    'a subject is tried, screened, and found; a file of subjects is refused by line, then screened (%s, %s)',
    async (viewport, locale) => {
      const words = SCREENINGS[locale];
      const owner = await tenantWithRules(stack);
      await screenListedName(owner, 'cliente-1');
      const visit = await visitAs(owner, 'supervisor', [viewport, locale]);
      const { page } = visit;
      await page.goto(`${stack.consoleUrl}/screenings`);
      await page.getByRole('link', { name: 'cliente-1' }).waitFor();
      await visit.screen('console-compliance-1-screenings');

      await page.getByRole('link', { name: words.dryRun.open }).click();
      await page.getByRole('heading', { name: words.dryRun.title }).waitFor();
      await page.getByLabel(words.reference).fill('cliente-2');
      await page.getByLabel(words.name, { exact: true }).fill(LISTED.full_name);
      await page.getByLabel(words.birthOrFounded).fill(LISTED.birth_date);
      await page.getByLabel(words.country, { exact: true }).fill('CO');
      await page.getByLabel(words.documentNumber).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: words.dryRun.result }).waitFor();
      await page.getByText(words.words).first().waitFor();
      await visit.screen('console-compliance-2-dry-run');
      expect(page.url()).not.toContain('Aurelio');

      await press(page, words.dryRun.screen);
      await page.getByRole('dialog').getByRole('button', { name: words.dryRun.screenNow }).click();
      await page.getByRole('link', { name: words.openCase }).waitFor();
      if (viewport === 'desktop') await page.setViewportSize({ width: 768, height: 900 });
      await visit.screen('console-compliance-3-screening');
      expect(await page.title()).toMatch(new RegExp(`^${words.one} scr_\\w+ · Constancia$`));
      await press(page, words.recompute);
      await page.getByText(words.recomputed.same).waitFor();

      await page.goto(`${stack.consoleUrl}/screenings/batch`);
      const lines = page.getByLabel(words.batch.lines);
      await lines.fill('subject_ref,full_name,birth_date\nlote-1,Ana Ruiz,ayer\nlote-2,Berta Paz,1980-01-02');
      await press(page, words.batch.check);
      await page.getByRole('cell', { name: 'birth_date' }).waitFor();
      await visit.screen('console-compliance-4-batch-faults');
      await lines.fill(
        `subject_ref,full_name,birth_date\nlote-1,${LISTED.full_name},${LISTED.birth_date}\nlote-2,Berta Paz,1980-01-02`,
      );
      await press(page, words.batch.check);
      await page.getByText(words.batch.ready(2, '16', '8')).waitFor();
      await press(page, words.batch.start);
      await page.getByText(words.batch.statuses.completed).waitFor();
      await page.getByText('2 / 2').waitFor();
      const saved = page.waitForEvent('download');
      await press(page, words.batch.save);
      expect((await saved).suggestedFilename()).toMatch(/^scb_\w+\.csv$/);
      await visit.screen('console-compliance-5-batch');

      await page.goto(`${stack.consoleUrl}/screenings?decision=approve`);
      await page.getByRole('link', { name: 'lote-2' }).waitFor();
      expect(await page.getByRole('link', { name: 'lote-1' }).count()).toBe(0);

      const { bell } = CONSOLE_TEXTS[locale];
      const { data: found } = await owner.compliance.GET('/v1/cases', { params: { query: { limit: 1 } } });
      const path = { id: found?.data[0]?.id ?? '' };
      const body = { assignee: 'Ana Ruiz (supervisor)' };
      await owner.compliance.POST('/v1/cases/{id}/assign', { params: { path }, body });
      await page.goto(`${stack.consoleUrl}/notifications`);
      await page.getByRole('link', { name: bell(1), exact: true }).waitFor();
      await page.getByRole('link', { name: NOTIFICATIONS[locale].kinds.case_assigned }).waitFor();
      await visit.screen('console-compliance-5-notifications');
      await page.getByRole('link', { name: NOTIFICATIONS[locale].kinds.case_assigned }).click();
      await page.getByRole('link', { name: bell(0), exact: true }).waitFor();
      expect(page.url()).toContain(`/cases/${path.id}`);
      expect(await consoleProblems(stack, visit)).toEqual([]);
    },
    120_000,
  );

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)(
    'a file for the own list is refused by line, then replaces it, and its changes can be read (%s, %s)',
    async (viewport, locale) => {
      const words = LISTS[locale];
      const owner = await tenantWithRules(stack);
      await screenListedName(owner, 'cliente-1');
      const visit = await visitAs(owner, 'supervisor', [viewport, locale]);
      const { page } = visit;
      await page.goto(`${stack.consoleUrl}/lists`);
      await page.getByText(words.lists.OFAC, { exact: true }).first().waitFor();
      await visit.screen('console-compliance-6-lists');
      await page.goto(`${stack.consoleUrl}/lists/internal`);
      await page.getByText(words.internal.empty).waitFor();

      await press(page, words.internal.upload);
      const dialog = page.getByRole('dialog');
      const upload = async (text: string): Promise<void> => {
        await dialog
          .getByLabel(words.internal.file)
          .setInputFiles({ name: 'interna.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
        await dialog.getByRole('button', { name: words.internal.check }).click();
      };
      await upload('id,name,birth_date\nI-1,Vetada Propia,ayer\nI-2,,\n');
      await dialog.getByText(words.internal.faults(2)).waitFor();
      await visit.screen('console-compliance-7-faults');
      await upload('id,kind,name\nI-1,person,Vetada Propia\n');
      await dialog.getByRole('button', { name: words.internal.replace }).click();
      await page.getByText('Vetada Propia').first().waitFor();
      await press(page, words.internal.add);
      await dialog.getByLabel(words.internal.columns.id).fill('I-2');
      await dialog.getByLabel(words.name, { exact: true }).fill('Otra Persona');
      await dialog.getByRole('button', { name: words.internal.add }).click();
      await page.getByText('Otra Persona').first().waitFor();
      await dialog.waitFor({ state: 'detached' });
      await visit.screen('console-compliance-8-internal');

      await page.getByRole('link', { name: words.versions.title }).click();
      await page.getByText(words.versions.statuses.active).first().waitFor();
      await visit.screen('console-compliance-9-versions');
      await page
        .getByRole('link', { name: words.versions.counts.added('1') })
        .first()
        .click();
      await page.getByText('Otra Persona').waitFor();
      await visit.screen('console-compliance-10-changes');
      await page.goto(`${stack.consoleUrl}/lists/monitored`);
      await page.getByRole('link', { name: LISTED.full_name }).waitFor();
      await visit.screen('console-compliance-11-monitored');
      expect(await consoleProblems(stack, visit)).toEqual([]);
    },
    120_000,
  );

  it('many cases are given to oneself by the keyboard alone; one that is closed is named', async () => {
    const words = CASES.en;
    const owner = await tenantWithRules(stack);
    const closed = (await screenListedName(owner, 'cliente-1')).case_id as string;
    await screenListedName(owner, 'cliente-2');
    const visit = await visitAs(owner, 'supervisor', ['desktop', 'en']);
    const { page } = visit;
    await page.goto(`${stack.consoleUrl}/cases`);
    await page.getByText('cliente-2').waitFor();
    const boxes = page.getByRole('checkbox', { name: words.bulk.chooseOne(LISTED.full_name) });
    await boxes.first().focus();
    await page.keyboard.press('Space');
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await page.getByText(words.bulk.chosen(2, '2')).waitFor();
    await visit.screen('console-compliance-12-chosen');
    // A program is faster with one of them.
    const params = { path: { id: closed } };
    await owner.compliance.POST('/v1/cases/{id}/resolve', {
      params,
      body: { decision: 'true_match', reason: 'Es él.' },
    });
    await page.getByRole('button', { name: words.bulk.assign }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: words.bulk.submit }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(words.bulk.refused('1', '2')).waitFor();
    await visit.screen('console-compliance-13-refused');
    await page.keyboard.press('Escape');
    const { data } = await owner.compliance.GET('/v1/cases', { params: { query: { subject_ref: 'cliente-2' } } });
    expect(data?.data[0]).toMatchObject({ status: 'in_review', assignee: 'Ana Ruiz (supervisor)' });

    await page.goto(`${stack.consoleUrl}/cases/${closed}`);
    await press(page, words.rosDraft.open);
    await page.getByText(words.rosDraft.reserved).waitFor();
    await page.getByText(words.rosDraft.toComplete).waitFor();
    await visit.screen('console-compliance-14-ros');
    expect(await consoleProblems(stack, visit)).toEqual([]);
  }, 120_000);
});
