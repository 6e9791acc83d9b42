import { eventually, type TestStack, webhookSink, type WebhookSink } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH } from '../../apps/console/src/developers/text/english.ts';
import { SPANISH } from '../../apps/console/src/developers/text/spanish.ts';
import { ENGLISH as HOME_EN } from '../../apps/console/src/home/text/english.ts';
import { SPANISH as HOME_ES } from '../../apps/console/src/home/text/spanish.ts';
import {
  CONSOLE_TEXTS,
  consoleProblems,
  loginLink,
  memberWith,
  openFilters,
  openSection,
  press,
  visitConsole,
} from './console-visit.fixture.ts';
import { NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';

const HOME = { 'es-CO': HOME_ES, en: HOME_EN };
const WORDS = { 'es-CO': SPANISH, en: ENGLISH };
const installed = browserInstalled('tools/e2e/console-developer.full.e2e.spec.ts');

describe.skipIf(!installed)('the console of a developer', () => {
  let stack: TestStack;
  let browser: Browser;
  let sink: WebhookSink;

  beforeAll(async () => {
    [stack, browser, sink] = await Promise.all([
      startDeployment({
        env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000' },
        apps: ['platform', 'compliance', 'signing', 'webhook-dispatcher'],
      }),
      openBrowser(),
      webhookSink(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await sink?.close();
    await stack?.close();
  });

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)(
    'a developer creates a key, adds an endpoint that breaks, finds the failed delivery and replays it (%s, %s)',
    async (viewport, locale) => {
      const [text, words] = [CONSOLE_TEXTS[locale], WORDS[locale]];
      const url = `${sink.url}/hook`;
      const owner = await signUp(stack);
      const email = await memberWith(stack, 'developer', owner);
      const link = await loginLink(stack, owner.tenantId, email);
      const watched = await visitConsole(stack, browser, { viewport, locale, link });
      const { page } = watched;
      const dialog = page.getByRole('dialog');

      await page.getByText(HOME[locale].webhooks.none).waitFor();
      await watched.screen('console-developer-1-home');

      await openSection(page, text, 'keys');
      await press(page, words.keys.create);
      await dialog.getByLabel(words.keys.name).fill('ERP');
      await dialog.getByRole('button', { name: words.keys.create }).click();
      await dialog.getByText(text.faults.too_few as string).waitFor();
      await dialog.getByLabel(words.scopes['signing:read']).check();
      await watched.screen('console-developer-2-new-key');
      await dialog.getByRole('button', { name: words.keys.create }).click();
      await dialog.getByRole('heading', { name: words.keys.created }).waitFor();
      const key = await dialog.locator('.secret').innerText();
      expect(key).toMatch(/^test_/);
      await watched.screen('console-developer-3-secret');
      await dialog.getByRole('button', { name: text.secret.stored }).click();
      await page.getByRole('cell').getByText('ERP', { exact: true }).waitFor();
      expect(await page.content()).not.toContain(key);
      const calls = (path: string) => fetch(`${stack.signingUrl}${path}`, { headers: { 'X-API-Key': key } });
      expect((await calls('/v1/templates')).status).toBe(200);
      await watched.screen('console-developer-4-keys');

      await openSection(page, text, 'endpoints');
      await page.getByText(words.endpoints.empty).waitFor();
      await press(page, words.endpoints.create);
      await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: words.endpoints.create, exact: true })
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByLabel(words.endpoints.url).fill('ftp://nowhere');
      await dialog.getByRole('button', { name: words.endpoints.create }).click();
      await dialog.getByRole('alert').waitFor();
      await watched.screen('console-developer-5-refused');
      await dialog.getByLabel(words.endpoints.url).fill(url);
      await dialog.getByRole('button', { name: words.endpoints.create }).click();
      await dialog.locator('.secret').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('cell').getByText(url).waitFor();

      sink.behave((response) => void response.writeHead(410).end('gone'));
      await press(page, words.endpoints.testOf(url));
      await dialog.getByRole('button', { name: words.endpoints.test }).click();
      await page.getByRole('heading', { level: 1, name: words.deliveries.one }).waitFor();
      await page.getByText(words.deliveries.statuses.failed).first().waitFor();
      await watched.screen('console-developer-6-failed');
      const failed = page.url();

      await eventually(async () => {
        await openSection(page, text, 'home');
        await openSection(page, text, 'endpoints'); // it is disabled a moment after its delivery failed
        expect(await page.getByText(words.endpoints.states.disabled).isVisible()).toBe(true);
      });
      await watched.screen('console-developer-7-endpoints');
      await page.goto(failed);
      await page.getByText(words.deliveries.noReplay.disabled).waitFor();
      expect(await page.getByRole('button', { name: words.deliveries.replay }).count()).toBe(0);
      await watched.screen('console-developer-7-not-replayed');
      await page.getByRole('link', { name: words.deliveries.toEndpoint }).click();
      await page.locator('[aria-current]:focus', { hasText: url }).waitFor();
      sink.behave((response) => void response.writeHead(204).end());
      await press(page, words.endpoints.editOf(url));
      await dialog.getByText(words.endpoints.disabledHint).waitFor();
      expect(await dialog.getByLabel(words.endpoints.enabled).isChecked()).toBe(true);
      await watched.screen('console-developer-7a-disabled');
      await dialog.getByLabel(words.endpoints.enabled).uncheck();
      await dialog.getByLabel(words.endpoints.url).fill(`${url}s`);
      await dialog.getByRole('button', { name: text.save }).click();
      await page.getByText(words.endpoints.notEnabled).waitFor(); // nothing is known of this address
      expect(await page.getByText(words.endpoints.reasons.gone).count()).toBe(0);
      await press(page, words.endpoints.editOf(`${url}s`));
      await dialog.getByLabel(words.endpoints.url).fill(url);
      await dialog.getByLabel(words.endpoints.enabled).check();
      await dialog.getByLabel(words.endpoints.description).fill('CRM');
      await dialog.getByRole('button', { name: text.save }).click();
      await page.getByText(words.endpoints.states.well).waitFor();
      await page.getByRole('cell').filter({ hasText: 'CRM' }).getByText(url).waitFor();

      await openSection(page, text, 'deliveries');
      await openFilters(page);
      await page.getByLabel(words.deliveries.endpoint, { exact: true }).selectOption({ label: 'CRM' });
      await eventually(() => expect(new URL(page.url()).searchParams.get('endpoint_id')).toMatch(/^whe_/));
      await page.getByRole('cell').getByText('CRM').first().waitFor();
      await page.getByLabel(words.deliveries.endpoint, { exact: true }).selectOption('');
      await page.getByLabel(words.deliveries.status).selectOption('failed');
      await eventually(() => expect(new URL(page.url()).searchParams.get('status')).toBe('failed'));
      await watched.screen('console-developer-8-deliveries');
      if (viewport === 'phone') await page.getByRole('button', { name: text.filters(1), exact: true }).click();
      expect(await page.getByLabel(words.deliveries.status).isVisible()).toBe(viewport === 'desktop');
      await page.getByRole('link', { name: 'endpoint.test' }).click();
      await page.getByRole('link', { name: 'CRM', exact: true }).click();
      await page.locator('[aria-current]:focus', { hasText: url }).waitFor();
      await page.goBack();
      await press(page, words.deliveries.replay);
      await page.getByText(words.deliveries.statuses.delivered).first().waitFor();
      await page.goBack();
      await page.getByText(words.deliveries.empty).waitFor();
      expect(await page.getByLabel(words.deliveries.status).inputValue()).toBe('failed');

      await openSection(page, text, 'events');
      await page.getByRole('link', { name: 'endpoint.test' }).click();
      await page.getByRole('heading', { name: words.events.payload }).waitFor();
      await page.getByText(words.deliveries.statuses.delivered).waitFor();
      await watched.screen('console-developer-9-event');

      sink.behave((response) => void response.writeHead(503).end());
      await openSection(page, text, 'endpoints');
      await press(page, words.endpoints.testOf('CRM'));
      await dialog.getByRole('button', { name: words.endpoints.test }).click();
      await page.getByText(words.deliveries.retrying).waitFor();
      await openSection(page, text, 'home');
      await page.getByText(HOME[locale].webhooks.failures('1')).waitFor();
      await page.getByRole('link', { name: 'CRM', exact: true }).waitFor();
      sink.behave((response) => void response.writeHead(204).end());
      await openSection(page, text, 'deliveries');
      await page.getByText(words.deliveries.retrying, { exact: true }).waitFor();
      await press(page, words.deliveries.replayMany);
      await dialog.getByLabel(words.deliveries.which).selectOption('pending');
      await dialog.getByRole('button', { name: words.deliveries.count }).click();
      await dialog.getByRole('button', { name: words.deliveries.replayNow('1') }).click();
      await page.getByText(words.deliveries.retrying, { exact: true }).waitFor({ state: 'detached' });
      // Beside the two tests there may be the event that says that it was disabled.
      const tests = page.getByRole('row').filter({ hasText: 'endpoint.test' });
      await eventually(async () =>
        expect(await tests.getByText(words.deliveries.statuses.delivered, { exact: true }).count()).toBe(2),
      );

      const { configuration } = words;
      await openSection(page, text, 'configuration');
      await page.getByText(configuration.notExported(configuration.hosts.compliance)).waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, configuration.export)]);
      const { data: endpoints } = await owner.platform.GET('/v1/webhook-endpoints');
      const params = { path: { id: endpoints?.data[0]?.id ?? '' } };
      await owner.platform.PATCH('/v1/webhook-endpoints/{id}', { params, body: { description: 'ERP' } });
      await page.getByLabel(configuration.archive).setInputFiles(await download.path());
      await press(page, configuration.check);
      await page.getByText(configuration.actions.update).waitFor();
      await watched.screen('console-developer-10-configuration');
      await press(page, configuration.apply);
      await page.getByRole('button', { name: configuration.apply }).waitFor({ state: 'detached' });
      await press(page, configuration.check);
      await page.getByText(configuration.nothing).waitFor();

      const stored = 'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])';
      expect(await page.evaluate<string>(stored)).not.toMatch(/canary|test_|Ruiz|mbt_/);
      expect(await consoleProblems(stack, watched, [400])).toEqual([]);
    },
    120_000,
  );

  it('a member whose role has nothing here sees none of it, and the API refuses it, too', async () => {
    const owner = await signUp(stack);
    const link = await loginLink(stack, owner.tenantId, await memberWith(stack, 'sender', owner));
    const watched = await visitConsole(stack, browser, { viewport: 'desktop', locale: 'en', link });
    const { page } = watched;
    const sections = page.getByRole('navigation').getByRole('link');
    expect(await sections.allInnerTexts()).toEqual(
      (['home', 'envelopes', 'circuits', 'documents', 'templates'] as const).map(
        (name) => CONSOLE_TEXTS.en.navigation.entries[name],
      ),
    );
    await page.goto(`${stack.consoleUrl}/developers/keys`);
    await page.getByText(CONSOLE_TEXTS.en.problems.forbidden as string).waitFor();
    expect(await page.getByRole('button', { name: ENGLISH.keys.create }).count()).toBe(0);
    expect(await consoleProblems(stack, watched, [403])).toEqual([]);
  });
});
