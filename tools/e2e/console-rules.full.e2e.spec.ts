import { AUDIT_ACTION_TEXTS } from '@constancia/contracts';
import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH as HOME } from '../../apps/console/src/home/text/english.ts';
import { ENGLISH as NOTIFICATIONS } from '../../apps/console/src/notifications/text/english.ts';
import { ENGLISH } from '../../apps/console/src/rules/text/english.ts';
import { SPANISH } from '../../apps/console/src/rules/text/spanish.ts';
import {
  CONSOLE_TEXTS,
  consoleProblems,
  loginLink,
  memberWith,
  openSection,
  press,
  visitConsole,
} from './console-visit.fixture.ts';
import { type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { draftValidation, screenListedName } from './owned-resources.fixture.ts';

const WORDS = { 'es-CO': SPANISH, en: ENGLISH };
const installed = browserInstalled('tools/e2e/console-rules.full.e2e.spec.ts');
/** Fires for the listed person, whose case it opens. */
const PEP = 'SARLAFT-PEP-001';

describe.skipIf(!installed)('the rules in the console of a supervisor', () => {
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

  /** A tenant with published rules, a screening that they sent to review, and a draft with the same rules. */
  async function tenantWithDraft() {
    const owner = await signUp(stack);
    const published = await draftValidation(owner);
    await owner.compliance.POST('/v1/validations/{id}/publish', { params: { path: { id: published } } });
    const [supervisor] = await Promise.all([
      memberWith(stack, 'supervisor', owner),
      screenListedName(owner, 'cliente-77'),
    ]);
    const params = { path: { id: published } };
    const draftId = (await owner.compliance.POST('/v1/validations/{id}/clone', { params })).data?.id as string;
    return { owner, supervisor, draftId, rule: await ruleOf(owner, draftId) };
  }

  async function ruleOf({ compliance }: Integrator, id: string, code = PEP) {
    const { data } = await compliance.GET('/v1/validations/{id}/rules', {
      params: { path: { id }, query: { limit: 100 } },
    });
    const rule = data?.data.find((each) => each.code === code);
    if (rule === undefined) throw new Error(`${code} is not among the rules`);
    return rule;
  }

  it('edits a rule in the graph with the mouse, sees what it changes in the past, and publishes; loses nothing to somebody faster', async () => {
    const words = WORDS['es-CO'];
    const { owner, supervisor, draftId, rule } = await tenantWithDraft();
    const link = await loginLink(stack, owner.tenantId, supervisor);
    const visit = await visitConsole(stack, browser, { viewport: 'desktop', locale: 'es-CO', link });
    const { page } = visit;
    await page.goto(`${stack.consoleUrl}/rules`);
    await page.getByRole('link', { name: 'default' }).first().waitFor();
    await visit.screen('console-rules-1-validations');
    await page.goto(`${stack.consoleUrl}/rules/${draftId}`);
    await page.getByRole('link', { name: PEP }).waitFor();
    await visit.screen('console-rules-2-validation');
    await page.getByRole('link', { name: PEP }).click();
    await page.getByRole('heading', { name: PEP }).waitFor();
    await visit.screen('console-rules-3-table');

    await page.getByRole('link', { name: words.editor.graph, exact: true }).click();
    await page.locator('.react-flow__node').first().click();
    const side = page.getByRole('region', { name: words.graph.side });
    await side.getByRole('button', { name: words.editor.andOf('c1') }).click();
    const kept = page.waitForRequest(
      (request) => request.method() === 'GET' && request.url() === `${stack.consoleUrl}/console/session`,
    );
    await side.getByLabel(words.editor.condition, { exact: true }).selectOption('subject_age_gte');
    await kept; // the session goes on while somebody edits
    await side.getByText(words.lint.bad_value_type as string).waitFor();
    await visit.screen('console-rules-4-linted');
    await side.getByLabel(words.editor.value, { exact: true }).fill('90');
    await side.getByText(words.lint.bad_value_type as string).waitFor({ state: 'detached' });
    await page.locator('.react-flow__node').filter({ hasText: '90' }).waitFor();

    // By dragging: no leads to another outcome, which approves.
    await press(side, words.editor.addAction);
    await side.getByLabel(words.editor.action, { exact: true }).selectOption('approve');
    const box = async (of: Locator) => {
      const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      return [x + width / 2, y + height / 2] as const;
    };
    await page.getByText(words.editor.unconditional('a1')).waitFor();
    await page.locator('.graph').evaluate((graph) => graph.scrollIntoView({ block: 'center' }));
    await press(page, words.graph.fit);
    const handle = page.locator('[data-id="c2"] .react-flow__handle.no');
    let place = '';
    await expect
      .poll(async () => place === (place = String(await box(handle))), { interval: 100 }) // the view moves there
      .toBe(true);
    await page.mouse.move(...(await box(handle)));
    await page.mouse.down();
    const target = page.locator('[data-id="a1"] .react-flow__handle-top');
    await page.mouse.move(...(await box(target)), { steps: 8 });
    await target.and(page.locator('.connectingto')).waitFor(); // it shows that the line would end there
    await page.mouse.up();
    await page.locator('[data-id="c2|no|a1"]').waitFor({ state: 'attached' });
    await page.getByText(words.editor.unconditional('a1')).waitFor({ state: 'detached' });
    await visit.screen('console-rules-5-graph');

    // Somebody else is faster: a program changes the points of the same rule.
    const { code, severity, subject_type, description, position, definition } = rule;
    const body = { code, severity, subject_type, description, position, definition, score: 77 };
    const path = { id: draftId, rule_id: rule.id };
    await owner.compliance.PUT('/v1/validations/{id}/rules/{rule_id}', { params: { path }, body: body as never });
    await press(page, words.editor.save);
    await page.getByText(words.conflict.changed).waitFor();
    await page.locator('.diff').getByText('77').waitFor();
    expect(await page.locator('.react-flow__node').count()).toBe(4);
    await visit.screen('console-rules-6-conflict');
    await press(page, words.conflict.keepMine);
    await press(page, words.editor.save);
    await page.getByText(words.editor.saved).waitFor({ state: 'attached' });
    const saved = await ruleOf(owner, draftId);
    expect([saved.score, saved.definition.nodes.map(({ id }) => id).sort()]).toEqual([
      50,
      ['a1', 'action', 'c1', 'c2'],
    ]);
    const asked = { id: 'c2', type: 'condition', predicate: 'subject_age_gte', value: 90 };
    expect(saved.definition.nodes).toContainEqual(asked);
    expect(saved.definition.nodes).toContainEqual({ id: 'a1', type: 'action', decision: 'approve' });
    expect(saved.definition.edges).toContainEqual({ from: 'c2', to: 'a1', when: false });

    await page.goto(`${stack.consoleUrl}/rules/${draftId}/backtest`);
    await press(page, words.trial.run);
    await page.getByRole('heading', { name: words.trial.changedCount('1') }).waitFor();
    await page.getByText('cliente-77').waitFor();
    await page.locator('.diff ins').first().waitFor();
    await visit.screen('console-rules-7-backtest');
    await press(page, words.publish.submit);
    const dialog = page.getByRole('dialog');
    await dialog.locator('.diff ins').first().waitFor();
    await visit.screen('console-rules-8-publish');
    await press(dialog, words.publish.submit);
    await dialog.waitFor({ state: 'detached' });
    const { data } = await owner.compliance.GET('/v1/validations/{id}', { params: { path: { id: draftId } } });
    expect(data?.status).toBe('published');
    expect(await ruleOf(owner, draftId)).toEqual(saved);
    expect(await consoleProblems(stack, visit)).toEqual([]);
  }, 180_000);

  it('does the same by keyboard alone on a phone, and puts what was typed into a new draft when the old one was published', async () => {
    const words = WORDS.en;
    const text = CONSOLE_TEXTS.en;
    const { owner, supervisor, draftId, rule } = await tenantWithDraft();
    const link = await loginLink(stack, owner.tenantId, supervisor);
    const visit = await visitConsole(stack, browser, { viewport: 'phone', locale: 'en', link });
    const { page } = visit;
    await page.goto(`${stack.consoleUrl}/rules/${draftId}/rule/${rule.id}?view=graph`);
    await page.locator('.react-flow__node[data-id="c1"]').focus();
    await page.keyboard.press('a');
    const question = page.getByLabel(words.editor.condition, { exact: true });
    await question.waitFor();
    expect(await question.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.type('Country a'); // the question that begins with it is chosen
    await page.keyboard.press('Tab');
    await page.keyboard.type('XX');
    await page.getByText('is not an ISO 3166-1').first().waitFor({ state: 'attached' });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('VE');
    await visit.screen('console-rules-9-keyboard');
    await page.keyboard.press('Escape');
    await page.keyboard.press('o'); // beside c2: one of the two is enough
    await page.locator('.react-flow__node[data-id="c3"]').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await page.locator('.react-flow__node[data-id="c3"]').waitFor({ state: 'detached' });

    await page.setViewportSize({ width: 768, height: 1024 });
    await visit.screen('console-rules-10-tablet');
    await page.getByRole('link', { name: words.editor.table, exact: true }).press('Enter');
    await page.getByLabel(`c2, ${words.editor.value}`).waitFor();
    expect(await page.getByLabel(`c2, ${words.editor.value}`).inputValue()).toBe('VE');
    await visit.screen('console-rules-11-tablet-table');
    await page.setViewportSize({ width: 360, height: 740 });
    await visit.screen('console-rules-12-phone-table');

    // Somebody else publishes the draft meanwhile.
    await owner.compliance.POST('/v1/validations/{id}/publish', { params: { path: { id: draftId } } });
    await page.getByRole('button', { name: words.editor.save, exact: true }).press('Enter');
    await page.getByText(words.conflict.published).waitFor();
    expect(await page.getByLabel(`c2, ${words.editor.value}`).inputValue()).toBe('VE');
    await visit.screen('console-rules-13-published');
    await page.getByRole('button', { name: words.conflict.toDraft, exact: true }).press('Enter');
    await page.waitForURL((url) => !url.pathname.includes(draftId));
    await page.getByLabel(`c2, ${words.editor.value}`).waitFor();
    const [, , newId = ''] = new URL(page.url()).pathname.split('/');
    const moved = await ruleOf(owner, newId);
    expect(moved.definition.nodes).toContainEqual({
      id: 'c2',
      type: 'condition',
      predicate: 'country_in',
      value: ['VE'],
    });

    // The rule has another id there.
    await page.goto(`${stack.consoleUrl}/rules/${newId}/rule/${rule.id}`);
    await page.getByText(words.editor.missing).waitFor();
    await page.goto(`${stack.consoleUrl}/rules/${newId}/try`);
    await page.getByLabel(words.trial.fullName).fill('Aurelio Ficticio Ejemplar');
    await page.getByRole('button', { name: words.trial.submit, exact: true }).press('Enter');
    await page.getByRole('heading', { name: words.trial.hits }).waitFor();
    expect(page.url()).toBe(`${stack.consoleUrl}/rules/${newId}/try`); // no name in the address
    await visit.screen('console-rules-14-dry-run');
    await page.goto(`${stack.consoleUrl}/rules/${newId}/backtest`);
    await page.getByRole('button', { name: words.trial.run, exact: true }).press('Enter');
    await page.getByRole('heading', { name: words.trial.changedCount('1') }).waitFor();
    await visit.screen('console-rules-15-backtest');
    await page.getByRole('button', { name: words.publish.submit, exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.locator('.diff ins').first().waitFor(); // before that there is nothing to decide on
    await dialog.getByRole('button', { name: words.publish.submit, exact: true }).press('Enter');
    await page.getByText(words.publish.done).waitFor({ state: 'attached' });
    expect(text.navigation.entries.rules).toBe(words.title);
    expect(await consoleProblems(stack, visit, [400])).toEqual([]);
  }, 180_000);

  it('a draft that one person published waits for another, who learns of it on the first page and by the bell', async () => {
    const [words, text] = [WORDS.en, CONSOLE_TEXTS.en];
    const owner = await signUp(stack);
    const draftId = await draftValidation(owner);
    await owner.compliance.PUT('/v1/compliance-settings', { body: { publish_four_eyes: true } });
    const visit = async (role: 'admin' | 'supervisor') => {
      const link = await loginLink(stack, owner.tenantId, await memberWith(stack, role, owner));
      return visitConsole(stack, browser, { viewport: 'desktop', locale: 'en', link });
    };
    const publish = async (page: Page) => {
      await press(page, words.publish.submit);
      const dialog = page.getByRole('dialog');
      await press(dialog, words.publish.submit);
      await dialog.waitFor({ state: 'detached' });
    };
    const [first, second] = [await visit('admin'), await visit('supervisor')];
    const third = await visitConsole(stack, browser, {
      viewport: 'desktop',
      locale: 'en',
      link: await loginLink(stack, owner.tenantId, owner.ownerEmail),
    });
    await first.page.goto(`${stack.consoleUrl}/rules/${draftId}`);
    await publish(first.page);
    await first.page.getByText(words.publish.waits).waitFor();
    await openSection(first.page, text, 'home'); // what was announced stays on the page where it was
    expect(await first.page.getByText(words.publish.waits).count()).toBe(0);
    await first.page.getByText(HOME.rules.byYou).waitFor();

    await second.page.reload();
    await second.page.getByRole('link', { name: HOME.rules.draft('default', '1') }).waitFor();
    await second.page.getByText(HOME.rules.by('Ana Ruiz (admin)')).waitFor();
    await second.screen('console-rules-16-home');
    await second.page.getByRole('link', { name: text.bell(1), exact: true }).click();
    const waits = second.page.getByRole('link', { name: NOTIFICATIONS.kinds.rules_awaiting_publication });
    await waits.waitFor();
    await second.screen('console-rules-17-notified');
    await waits.click();
    await second.page.waitForURL((url) => url.pathname === `/rules/${draftId}`);
    await publish(second.page);
    const { data } = await owner.compliance.GET('/v1/validations/{id}', { params: { path: { id: draftId } } });
    expect(data?.status).toBe('published');

    // For whoever else might have been the second person there is nothing to do any more; the audit log says who was.
    await third.page.reload();
    await third.page.getByRole('link', { name: text.bell(0), exact: true }).click();
    await third.page.getByText(NOTIFICATIONS.settled).waitFor();
    await third.page.setViewportSize({ width: 1440, height: 900 });
    await third.screen('console-rules-18-settled');
    await openSection(third.page, text, 'audit');
    for (const action of ['validation.publication_requested', 'validation.published'] as const)
      await third.page.getByRole('row').filter({ hasText: AUDIT_ACTION_TEXTS[action] }).getByText('default, version 1').waitFor(); // prettier-ignore
    await third.screen('console-rules-19-audit');
    await third.page.setViewportSize({ width: 360, height: 740 });
    await third.screen('console-rules-19-audit-phone');
    const problems = await Promise.all([first, second, third].map((visited) => consoleProblems(stack, visited)));
    expect(problems.flat()).toEqual([]);
  }, 120_000);

  it.each([
    ['desktop', 'es-CO'],
    ['phone', 'en'],
  ] as const)(
    'a draft that nobody wants is discarded, once that is confirmed, and the published version stays (%s, %s)',
    async (viewport, locale) => {
      const words = WORDS[locale];
      const { owner, supervisor, draftId } = await tenantWithDraft();
      const link = await loginLink(stack, owner.tenantId, supervisor);
      const visit = await visitConsole(stack, browser, { viewport, locale, link });
      const { page } = visit;
      await page.goto(`${stack.consoleUrl}/rules/${draftId}`);
      await page.getByRole('button', { name: words.discard, exact: true }).waitFor();
      expect(await page.getByRole('button', { name: words.clone }).count()).toBe(0);
      await visit.screen('console-rules-20-draft');
      await press(page, words.discard);
      const dialog = page.getByRole('dialog');
      await dialog.getByText(words.discardLead).waitFor();
      await visit.screen('console-rules-21-discard');
      await press(dialog, words.discard);
      await page.waitForURL((url) => url.pathname === '/rules');
      await page.getByText(words.discarded).waitFor({ state: 'attached' });
      const { data } = await owner.compliance.GET('/v1/validations');
      expect(data?.data.map(({ status, version }) => [status, version])).toEqual([['published', 1]]);
      await page.getByRole('link', { name: 'default' }).click();
      await page.getByRole('button', { name: words.clone }).waitFor();
      expect(await page.getByRole('button', { name: words.discard }).count()).toBe(0);
      expect(await consoleProblems(stack, visit)).toEqual([]);
    },
    120_000,
  );
});
