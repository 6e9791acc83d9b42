import fs from 'node:fs';
import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH as MONEY_EN } from '../../apps/console/src/money/text/english.ts';
import { SPANISH as MONEY_ES } from '../../apps/console/src/money/text/spanish.ts';
import { ENGLISH as SETTINGS_EN } from '../../apps/console/src/settings/text/english.ts';
import { SPANISH as SETTINGS_ES } from '../../apps/console/src/settings/text/spanish.ts';
import { ENGLISH as TEAM_EN } from '../../apps/console/src/team/text/english.ts';
import { SPANISH as TEAM_ES } from '../../apps/console/src/team/text/spanish.ts';
import { writeEntries } from '../../apps/platform/src/billing/usage/many-entries.fixture.ts';
import {
  CONSOLE_TEXTS,
  consoleProblems,
  loaded,
  loginLink,
  memberWith,
  openFilters,
  openSection,
  press,
  visitConsole,
} from './console-visit.fixture.ts';
import { type Integrator, inStore, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';

const ENGLISH = CONSOLE_TEXTS.en;

const TEXTS = {
  'es-CO': { text: CONSOLE_TEXTS['es-CO'], money: MONEY_ES, team: TEAM_ES, settings: SETTINGS_ES },
  en: { text: ENGLISH, money: MONEY_EN, team: TEAM_EN, settings: SETTINGS_EN },
};
type Section = Parameters<typeof openSection>[2];
const LOGO = sharp({ create: { width: 64, height: 64, channels: 3, background: '#0b5a55' } }).png();
const installed = browserInstalled('tools/e2e/console-owner.full.e2e.spec.ts');

describe.skipIf(!installed)('credits, team and settings in a browser', () => {
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

  /** The dialog that is open is sent, and closes. */
  async function send(page: Page, name: string): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await loaded(page);
  }

  async function downloaded(page: Page, name: string): Promise<{ file: string; content: Buffer }> {
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
    return { file: download.suggestedFilename(), content: fs.readFileSync(await download.path()) };
  }

  /** An owner whose tenant has used credits for ten days. */
  async function ownerWithUsage(): Promise<Integrator> {
    const owner = await signUp(stack);
    const query = (sql: string, params?: unknown[]) => inStore(stack, sql, params) as never;
    await writeEntries({ query }, owner.tenantId, 100, 10);
    return owner;
  }

  describe.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)('an owner (%s, %s)', (viewport, locale) => {
    const { text, money, team, settings } = TEXTS[locale];

    /** Signed in, at the first screen. */
    async function begin(owner: Integrator) {
      const link = await loginLink(stack, owner.tenantId, owner.ownerEmail);
      const watched = await visitConsole(stack, browser, { viewport, locale, link });
      const { page, context } = watched;
      const dialog = page.getByRole('dialog');
      return { watched, page, context, dialog, field: (label: string) => dialog.getByLabel(label, { exact: true }) };
    }

    it('invites a member, changes their role and finds it in the audit log', async () => {
      const owner = await signUp(stack);
      const { watched, page, dialog, field } = await begin(owner);
      await openSection(page, text, 'members');
      await press(page, team.members.invite);
      await field(team.members.email).fill(`ana-${owner.tenantId}@canary.example`);
      await field(team.members.name).fill('Ana Ruiz');
      await field(team.members.role).selectOption('sender');
      await watched.screen('owner-01-invite');
      await send(page, team.members.invite);
      await page.getByRole('link', { name: 'Ana Ruiz' }).waitFor();
      await watched.screen('owner-02-members');
      await page.getByRole('link', { name: 'Ana Ruiz' }).click();
      await press(page, team.member.change);
      await field(team.members.role).selectOption('billing');
      await send(page, text.save);
      await page
        .locator('dl')
        .getByText(text.roles.billing as string)
        .waitFor();
      expect(page.url()).toMatch(/\/team\/members\/mbr_\w+$/);
      expect(await page.title()).toMatch(new RegExp(`^${team.member.title} mbr_\\w+ · Constancia$`));
      await watched.screen('owner-03-member');

      await openSection(page, text, 'members');
      await page.locator('.records-body').getByRole('link').last().click();
      await page.getByRole('heading', { name: team.member.title }).waitFor();
      await page.getByText(owner.ownerEmail).first().waitFor();
      await press(page, team.member.suspend);
      await dialog.getByRole('button', { name: team.member.suspend }).click();
      await dialog.getByText(team.member.ownerProblems['state-conflict']).waitFor();
      await watched.screen('owner-04-last-owner');
      await dialog.getByRole('button', { name: text.cancel }).click();

      await openSection(page, text, 'audit');
      if (viewport === 'desktop') {
        await page.reload();
        const current = page.getByRole('navigation').locator('[aria-current="page"]');
        await expect.poll(async () => (await current.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
      }
      await openFilters(page);
      await page.getByLabel(team.audit.action, { exact: true }).selectOption('member.changed');
      await page.waitForURL(/action=member\.changed$/);
      await loaded(page);
      await page.locator('.records-body summary').first().click();
      await page
        .locator('ins')
        .getByText(text.roles.billing as string)
        .waitFor();
      await watched.screen('owner-05-audit');
      const log = await downloaded(page, team.audit.ndjson);
      expect(log.file).toMatch(/\.ndjson$/);
      expect(JSON.parse(log.content.toString())).toMatchObject({
        type: 'member.changed',
        data: { after: { role: 'billing' } },
      });

      await owner.compliance.PUT('/v1/compliance-settings', { body: { publish_four_eyes: true } });
      await page.getByLabel(team.audit.action, { exact: true }).selectOption('compliance_settings.changed');
      await page.locator('.records-body summary').first().click();
      await page.getByText(team.audit.fields.publish_four_eyes).waitFor();
      expect(await page.locator('ins').allInnerTexts()).toEqual([team.audit.yes]);
      await watched.screen('owner-05-audit-settings');
      expect(await consoleProblems(stack, watched, [409])).toEqual([]);
    });

    it('sees what was used, sets the low-balance warning, and tops up', async () => {
      const { watched, page, context, dialog, field } = await begin(await ownerWithUsage());
      await openSection(page, text, 'balance');
      await page.getByRole('img').waitFor();
      await press(page, money.warning.edit);
      await field(money.warning.threshold).fill('1500');
      await watched.screen('owner-06-warning');
      await send(page, text.save);
      const threshold = locale === 'en' ? '1,500' : '1.500';
      await page.getByText(threshold).first().waitFor();
      await watched.screen('owner-07-balance');
      const statement = await downloaded(page, money.statements.pdf);
      expect([statement.file, statement.content.subarray(0, 5).toString()]).toEqual([
        ...[expect.stringMatching(/-\d{4}-\d\d\.pdf$/), '%PDF-'],
      ]);

      await press(page, money.topups.create);
      await field(money.topups.amount).fill('100000');
      await press(page, money.topups.quote);
      await dialog.getByText(money.topups.quoteTitle).waitFor();
      await watched.screen('owner-08-quote');
      await press(page, money.topups.pay);
      await page.getByRole('heading', { level: 1, name: money.topups.one, exact: true }).waitFor();
      await page.getByText(money.topups.payLead).waitFor();
      await watched.screen('owner-09-to-be-paid');
      const [checkout] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: money.topups.goPay }).click(),
      ]);
      expect(checkout.url()).toContain(stack.payments.url);
      await checkout.getByRole('button').first().click();
      await checkout.waitForURL(`${stack.baseUrl}/payment-return`);
      await checkout.close();
      await press(page, money.topups.refresh);
      await page.getByText(money.topups.meanings.credited).waitFor();
      await watched.screen('owner-10-credited');
      await openSection(page, text, 'topups');
      await watched.screen('owner-11-topups');
      await openSection(page, text, 'ledger');
      await watched.screen('owner-12-ledger');
      const ledger = await downloaded(page, money.csv);
      expect(ledger.content.toString().split('\r\n')).toHaveLength(1 + 102 + 1 + 1); // head, two grants, the top-up, the end
      expect(await consoleProblems(stack, watched)).toEqual([]);
    });

    it('changes the organization, four eyes and permitted origins, and keeps what a refused form holds', async () => {
      const { watched, page, dialog, field } = await begin(await signUp(stack));
      await openSection(page, text, 'tenant');
      await press(page, settings.tenant.edit);
      await field(settings.tenant.color).fill('#0b5a55');
      await send(page, text.save);
      await press(page, settings.logo.upload);
      await field(settings.logo.file).setInputFiles({
        name: 'l.png',
        mimeType: 'image/png',
        buffer: await LOGO.toBuffer(),
      });
      await send(page, settings.logo.upload);
      const logo = page.getByRole('img', { name: settings.logo.alt });
      await logo.waitFor();
      expect(await logo.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth)).toBe(64);
      await page.locator('dl').getByText('#0b5a55', { exact: true }).waitFor();
      await watched.screen('owner-13-tenant');
      await press(page, settings.retention.edit);
      await field(settings.retention.periods.image_days).fill('30');
      await send(page, text.save);
      await page.locator('dl').getByText(settings.retention.days('30')).waitFor();
      await openSection(page, text, 'signIn');
      await watched.screen('owner-14-sign-in');
      await press(page, settings.sso.setUp);
      await field(settings.sso.issuer).fill('https://127.0.0.1/realm');
      await field(settings.sso.clientId).fill('constancia');
      await field(settings.sso.secret).fill('a-secret');
      await field(settings.sso.domains).fill('banco.example');
      await dialog.getByRole('button', { name: text.save }).click();
      await dialog.getByText(settings.provider.provider_unreachable as string).waitFor();
      expect(await field(settings.sso.clientId).inputValue()).toBe('constancia');
      await watched.screen('owner-15-sso-refused');
      await dialog.getByRole('button', { name: text.cancel }).click();
      await openSection(page, text, 'fourEyes');
      await press(page, settings.fourEyes.edit);
      await field(settings.fourEyes.resolutions).selectOption('all');
      await send(page, text.save);
      await page.getByText(settings.fourEyes.modes.all).waitFor();
      await watched.screen('owner-16-four-eyes');
      await openSection(page, text, 'origins');
      await press(page, settings.origins.editEmbed);
      await field(settings.origins.origins).fill('https://app.banco.example');
      await send(page, text.save);
      await page.getByText('https://app.banco.example').waitFor();
      await watched.screen('owner-17-origins');
      expect(await consoleProblems(stack, watched, [422])).toEqual([]);
    });
  });

  it('a member with the role billing has the section of credits only, and an auditor no button that changes anything', async () => {
    const owner = await ownerWithUsage();
    const visit = async (role: 'billing' | 'auditor') => {
      const link = await loginLink(stack, owner.tenantId, await memberWith(stack, role, owner));
      return visitConsole(stack, browser, { viewport: 'desktop', locale: 'en', link });
    };
    const entries = (page: Page) => page.locator('.sections a').allInnerTexts();
    const { balance, ledger, topups, home } = ENGLISH.navigation.entries;

    const billing = await visit('billing');
    expect(await entries(billing.page)).toEqual([home, balance, ledger, topups]);
    await openSection(billing.page, ENGLISH, 'balance');
    await billing.page.getByRole('button', { name: MONEY_EN.topups.create }).waitFor();
    expect(await billing.page.getByRole('button', { name: MONEY_EN.warning.edit }).count()).toBe(0);
    expect(await consoleProblems(stack, billing)).toEqual([]);

    const auditor = await visit('auditor');
    const { page } = auditor;
    const reading = [MONEY_EN.csv, MONEY_EN.statements.pdf, TEAM_EN.audit.ndjson, ENGLISH.more];
    const sections: Section[] = [
      ...(['cases', 'keys', 'endpoints', 'deliveries', 'events', 'balance', 'ledger', 'topups'] as const),
      ...(['identitySessions', 'subjects', 'flows', 'clients', 'documents'] as const),
      ...(['members', 'audit', 'tenant', 'signIn', 'fourEyes', 'origins'] as const),
    ];
    for (const section of sections) {
      await openSection(page, ENGLISH, section);
      const buttons = await page.locator('main').getByRole('button').allInnerTexts();
      expect(
        buttons.filter((name) => !reading.includes(name)),
        section,
      ).toEqual([]);
      if (section !== 'members') continue;
      await page.locator('.records-body').getByRole('link').last().click();
      await page.getByRole('heading', { name: TEAM_EN.passkeys.title }).waitFor();
      await loaded(page);
      expect(await page.locator('main').getByRole('button').allInnerTexts()).toEqual([]);
    }
    expect(await consoleProblems(stack, auditor)).toEqual([]);
  });

  it('every section fits a tablet, between phone and desktop', async () => {
    const owner = await ownerWithUsage();
    const link = await loginLink(stack, owner.tenantId, owner.ownerEmail);
    const watched = await visitConsole(stack, browser, { viewport: 'desktop', locale: 'es-CO', link });
    const { page } = watched;
    await page.setViewportSize({ width: 768, height: 1024 });
    const text = CONSOLE_TEXTS['es-CO'];
    for (const section of Object.keys(text.navigation.entries) as Section[]) {
      await openSection(page, text, section);
      expect(await watched.overflows(), section).toBe(false);
    }
    expect(await consoleProblems(stack, watched)).toEqual([]);
  });
});
