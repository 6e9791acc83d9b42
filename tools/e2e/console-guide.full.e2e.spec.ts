import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import type { Role } from '@constancia/contracts';
import { type TestStack, webhookSink, type WebhookSink } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { consoleProblems, loaded, loginLink, memberWith, visitConsole } from './console-visit.fixture.ts';
import { type Integrator, NO_LIMITS, startDeployment } from './deployment.fixture.ts';
import { tenantWithMonth } from './month.fixture.ts';

const GUIDE = path.join(WORKSPACE, 'docs/guides/console.md');
const PICTURES = path.join(WORKSPACE, 'docs/guides/console');
/** WRITE_GUIDE=1 replaces the pictures of the guide; without it, none are taken. */
const WRITE = process.env.WRITE_GUIDE === '1';

/** The pictures of the guide: where a member goes, and whether they open the first row there. */
const SCREENS: Partial<Record<Role, Record<string, { at: string; first?: true }>>> = {
  analyst: {
    'analyst-home': { at: '/home' },
    'analyst-cases': { at: '/cases' },
    'analyst-case': { at: '/cases?status=open', first: true },
    'analyst-review': { at: '/identity/reviews', first: true },
  },
  supervisor: {
    'supervisor-rules': { at: '/rules', first: true },
    'supervisor-lists': { at: '/lists' },
  },
  sender: {
    'sender-circuit': { at: '/signing/circuits', first: true },
    'sender-envelopes': { at: '/signing/envelopes' },
    'sender-envelope': { at: '/signing/envelopes?status=in_progress', first: true },
  },
  developer: {
    'developer-endpoints': { at: '/developers/endpoints' },
    'developer-deliveries': { at: '/developers/deliveries?status=failed' },
    'developer-delivery': { at: '/developers/deliveries?status=failed', first: true },
  },
  billing: { 'billing-credits': { at: '/money' } },
  owner: {
    'owner-home': { at: '/home' },
    'owner-members': { at: '/team/members' },
    'owner-audit': { at: '/team/audit' },
  },
};

describe.runIf(WRITE && browserInstalled('tools/e2e/console-guide.full.e2e.spec.ts'))(
  'the guide of the console',
  () => {
    let stack: TestStack;
    let browser: Browser;
    let sink: WebhookSink;
    let owner: Integrator;

    beforeAll(async () => {
      [stack, browser, sink] = await Promise.all([
        startDeployment({ env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000' } }),
        openBrowser(),
        webhookSink(),
      ]);
      owner = await tenantWithMonth(stack, sink);
    }, 300_000);
    afterAll(async () => {
      await browser?.close();
      await sink?.close();
      await stack?.close();
    });

    it.each(Object.entries(SCREENS))('shows what a member with the role %s works with', async (role, screens) => {
      const email = role === 'owner' ? owner.ownerEmail : await memberWith(stack, role as Role, owner);
      const link = await loginLink(stack, owner.tenantId, email);
      const watched = await visitConsole(stack, browser, { viewport: 'desktop', locale: 'en', link });
      const { page } = watched;
      for (const [name, { at, first }] of Object.entries(screens)) {
        await page.goto(`${stack.consoleUrl}${at}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await loaded(page);
        if (first) {
          await page.locator('.records-body').getByRole('link').first().click();
          await page.locator('.records-body').waitFor({ state: 'detached' });
          await page.getByRole('heading', { level: 1 }).waitFor();
          await loaded(page);
        }
        const picture = await page.screenshot({ animations: 'disabled' });
        fs.mkdirSync(PICTURES, { recursive: true });
        await sharp(picture)
          .png({ palette: true, colours: 64 })
          .toFile(path.join(PICTURES, `${name}.png`));
      }
      expect(await consoleProblems(stack, watched)).toEqual([]);
    });
  },
);

test('the guide has these pictures, and no others', () => {
  const shown = [...fs.readFileSync(GUIDE, 'utf8').matchAll(/\]\(console\/([\w-]+)\.png\)/g)].map(([, name]) => name);
  const taken = Object.values(SCREENS).flatMap((screens) => Object.keys(screens));
  const kept = fs.readdirSync(PICTURES).map((file) => path.parse(file).name);
  expect(shown.sort()).toEqual(taken.toSorted());
  expect(kept.sort()).toEqual(taken.toSorted());
});
