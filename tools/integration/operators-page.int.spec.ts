import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listenForOperators } from '@constancia/http';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import type { OpsServer } from '@constancia/telemetry';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningCompliance, runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';
import { BROWSER_PATH, browserInstalled, openBrowser } from '@constancia/testing/browser';
import { buildPages } from '../build/page.mjs';

const TOKEN = 'ana-has-a-token-with-enough-characters';

let store: TestDatabase;
let platform: RunningPlatform;
let compliance: RunningCompliance;
let browser: Browser;
let folder: string;
const servers: OpsServer[] = [];

beforeAll(async () => {
  store = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ops-page-'));
  const tokensFile = path.join(folder, 'operators.json');
  const sha256 = createHash('sha256').update(TOKEN).digest('hex');
  fs.writeFileSync(tokensFile, JSON.stringify([{ name: 'ana', sha256, roles: ['read', 'act', 'grant'] }]));
  const page = path.join(folder, 'page');
  await buildPages('apps/ops-web', page);
  platform = await runningPlatform(store);
  compliance = await runningCompliance(store);
  for (const { app } of [platform, compliance]) servers.push(await listenForOperators(app, { tokensFile, page }));
  if (BROWSER_PATH !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) await server.close();
  await platform?.close();
  await compliance?.close();
  await store?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function entered(server: OpsServer | undefined, section: string, width = 1280): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', viewport: { width, height: 800 } });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`http://127.0.0.1:${server?.port}/ops/page/#${section}`);
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}
/** Answers a request that was held back, and waits until the page has drawn what it says. */
async function answered(route: Route | undefined, json: object): Promise<void> {
  await route?.fulfill({ json });
  await (await route?.request().response())?.finished();
  await route?.request().frame().evaluate('new Promise((drawn) => setTimeout(drawn, 200))');
}
/** What a replay run that only counted answers. */
const counted = (matched: number) => ({
  id: `run_${matched}`,
  status: 'completed',
  dry_run: true,
  matched,
  max: 10_000,
});
const sections = (page: Page) => page.getByRole('navigation').getByRole('link').allTextContents();
const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe.runIf(browserInstalled('the operators’ page'))('the operators’ page', () => {
  it('covers what the command covers, each module its own, in the name of the token', async () => {
    const page = await entered(servers[0], 'tenants');
    expect(await sections(page)).toEqual([
      'Waiting', 'Deliveries', 'Replay', 'Endpoints', 'Tenants', 'Credits to approve', 'Credits', 'Trace', 'Audit log',
    ]); // prettier-ignore
    expect(await page.getByRole('banner').textContent()).toContain('ana');
    const other = await entered(servers[1], 'lists', 390);
    expect(await sections(other)).toEqual(['Waiting', 'Lists', 'Overdue cases']);
    await other.getByText('They are imported by npm run lists.').waitFor();
    expect(await overflow(other)).toBe(0);
    await page.context().close();
    await other.context().close();
  });

  it('shows what is new by itself, in every view and page of a list', async () => {
    const page = await entered(servers[0], 'tenants');
    await page.getByLabel('Part of the slug or name').fill('refreshed');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('None.').waitFor();
    const tenant = await testTenant(store);
    await store.query(`update platform.tenant set display_name = 'Refreshed Bank' where id = $1`, [tenant.id]);
    await page.getByRole('heading', { level: 1 }).click(); // away from the field, where somebody may be writing
    await page.clock.fastForward(11_000);
    await page.getByRole('link', { name: tenant.slug }).waitFor();
    await page.context().close();
  });

  it('shows an answer that takes longer than the time between two refreshes, and asks again only after it', async () => {
    const page = await entered(servers[0], 'lag');
    const held: Route[] = [];
    await page.route('**/ops/tenants*', (route) => void held.push(route));
    await page.getByRole('link', { name: 'Tenants' }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.clock.fastForward(12_000);
    await page.clock.fastForward(12_000);
    await answered(held[0], { data: [], next_cursor: null });
    await page.getByText('None.').waitFor();
    expect(held).toHaveLength(1);
    await page.clock.fastForward(12_000);
    await expect.poll(() => held.length).toBe(2);
    await page.context().close();
  });

  describe('a replay', () => {
    let page: Page;
    let held: Route[];
    const tenantField = () => page.getByLabel('Tenant (slug or id)');
    async function count(tenant?: string): Promise<Route> {
      const before = held.length;
      if (tenant !== undefined) await tenantField().fill(tenant);
      await page.getByRole('button', { name: 'Count' }).click();
      await expect.poll(() => held.length).toBe(before + 1);
      return held[before] as Route;
    }
    beforeEach(async () => {
      page = await entered(servers[0], 'replay');
      held = [];
      await page.route('**/ops/replays', (route) => void held.push(route)); // the list has a query
      await page.getByLabel('Reason').fill('ticket 9');
    });
    afterEach(() => page.context().close());

    it('is confirmed for the number that was counted, not for that of another count', async () => {
      await answered(await count('one'), counted(3));
      await page.getByLabel('I want to send all that match again: 3').check();
      await answered(await count(), counted(4));
      expect(await page.getByLabel('I want to send all that match again: 4').isChecked()).toBe(false);
      expect(await page.getByRole('button', { name: 'Send 4' }).isDisabled()).toBe(true);
    });

    it('never shows the count of a filter that is no longer in the form', async () => {
      const [first, second] = [await count('one'), await count('two')];
      await answered(second, counted(5));
      await answered(first, counted(6));
      expect(await page.getByText(/^Deliveries that match/).allTextContents()).toEqual(['Deliveries that match: 5.']);
      const third = await count('three');
      await tenantField().fill('four');
      await answered(third, counted(7));
      expect(await page.getByText(/^Deliveries that match/).count()).toBe(0);
    });
  });

  it('gives credits, and shows those that wait for another operator', async () => {
    const tenant = await testTenant(store);
    const page = await entered(servers[0], `tenants/${tenant.slug}`);
    await page.getByRole('button', { name: 'Grant credits' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Credits').fill('20000');
    await dialog.getByLabel('Reference').fill('OC-1');
    await dialog.getByLabel('Reason').fill('contract 1');
    await dialog.getByRole('button', { name: 'Grant credits' }).click();
    await page.getByText(/Nothing was credited yet/).waitFor();
    await page.getByRole('link', { name: 'Credits to approve' }).click();
    await page.getByText('contract 1').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflow(page)).toBe(0);
    await page.context().close();
  });
});
