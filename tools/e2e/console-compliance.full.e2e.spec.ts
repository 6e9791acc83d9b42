import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { WatchedPage } from '@constancia/testing/watched-page';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH as SCREENINGS_ENGLISH } from '../../apps/console/src/screenings/text/english.ts';
import { SPANISH as SCREENINGS_SPANISH } from '../../apps/console/src/screenings/text/spanish.ts';
import { consoleProblems, loginLink, memberWith, visitConsole } from './console-visit.fixture.ts';
import { type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { draftValidation, LISTED, screenListedName } from './owned-resources.fixture.ts';

const SCREENINGS = { 'es-CO': SCREENINGS_SPANISH, en: SCREENINGS_ENGLISH };
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

  async function tenantWithRules(): Promise<Integrator> {
    const owner = await signUp(stack);
    const id = await draftValidation(owner);
    await owner.compliance.POST('/v1/validations/{id}/publish', { params: { path: { id } } });
    return owner;
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

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
      const owner = await tenantWithRules();
      await screenListedName(owner, 'cliente-1');
      const visit = await visitAs(owner, 'supervisor', [viewport, locale]);
      const { page } = visit;
      await page.goto(`${stack.consoleUrl}/screenings`);
      await page.getByRole('link', { name: 'cliente-1' }).waitFor();
      await visit.screen('console-compliance-1-screenings');

      await page.getByRole('link', { name: words.dryRun.open }).click();
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
      await page.setViewportSize({ width: 768, height: 900 });
      await visit.screen('console-compliance-3-screening');
      expect(await page.title()).toBe(`${words.one} · Constancia`);
      await press(page, words.recompute);
      await page.getByText(words.recomputed.same).waitFor();

      await page.goto(`${stack.consoleUrl}/screenings/batch`);
      const lines = page.getByLabel(words.batch.lines);
      await lines.fill('subject_ref,full_name,birth_date\nlote-1,Ana Ruiz,ayer\nlote-2,Berta Paz,1980-01-02');
      await press(page, words.batch.check);
      await page.getByText(words.batch.faultOf.birth_date('ayer')).waitFor();
      await visit.screen('console-compliance-4-batch-faults');
      await lines.fill(
        `subject_ref,full_name,birth_date\nlote-1,${LISTED.full_name},${LISTED.birth_date}\nlote-2,Berta Paz,1980-01-02`,
      );
      await press(page, words.batch.check);
      await page.getByText(words.batch.ready('2', '16')).waitFor();
      await press(page, words.batch.start);
      await page.getByText(words.batch.progress('2', '2')).waitFor();
      await visit.screen('console-compliance-5-batch');

      await page.goto(`${stack.consoleUrl}/screenings?decision=approve`);
      await page.getByRole('link', { name: 'lote-2' }).waitFor();
      expect(await page.getByRole('link', { name: 'lote-1' }).count()).toBe(0);
      expect(await consoleProblems(stack, visit)).toEqual([]);
    },
    120_000,
  );
});
