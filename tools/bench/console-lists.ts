/**
 * The lists of the console, of a tenant with 1,000,000 deliveries and 100,000 cases: the first page of GET /webhook-deliveries and GET
 * /v1/events with each filter, asked one after the other; then the console in a headless browser whose processor is slowed down four times:
 * from a press on a section, or the choice of a filter, until rows are painted; and the longest task while 10,000 rows are scrolled.
 */
import { endpointIdOf } from '@constancia/events';
import { typeId, uuidv7 } from '@constancia/kernel';
import { openBrowser } from '@constancia/testing/browser';
import type { Page } from 'playwright-core';
import pg from 'pg';
import { ENGLISH as CASES_TEXT } from '../../apps/console/src/cases/text/english.ts';
import { ENGLISH as DEVELOPERS_TEXT } from '../../apps/console/src/developers/text/english.ts';
import { manyCases } from '../../apps/compliance/src/cases/many-cases.fixture.ts';
import { manyDeliveries } from '../../apps/platform/src/webhook-deliveries/many-deliveries.fixture.ts';
import { observed, observeResources } from '../../apps/person-web/e2e/observed-resources.ts';
import { CONSOLE_TEXTS, loaded, loginLink, visitConsole } from '../e2e/console-visit.fixture.ts';
import { NO_LIMITS, signUp, startDeployment } from '../e2e/deployment.fixture.ts';
import { type BenchRow, percentile, percentilesOf, report } from './measure.ts';

const DELIVERIES = Number(process.env.BENCH_ENTRIES ?? 1_000_000);
const CASES = 100_000;
const REQUESTS = 50;
const API_MS = 100;
const SCREEN_MS = 1_000;
const SLOWER = 4;
const VISITS = 20;
const SCROLLED_ROWS = 10_000;
const LONGEST_TASK_MS = 100;
const RARE_TYPE = 'credits.balance.low';

/** What a press changes on the page: milliseconds until the rows that it asks for are painted. */
const PAINTED = `(act) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('nothing was painted within 30 seconds')), 30_000);
  const before = document.querySelector('.records-body, main .empty');
  const began = performance.now();
  act();
  const look = () => {
    const now = document.querySelector('.records-body, main .empty');
    if (now === null || now === before) return void requestAnimationFrame(look);
    setTimeout(() => resolve(performance.now() - began));
  };
  requestAnimationFrame(look);
})`;

const stack = await startDeployment({
  env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000', LOG_LEVEL: 'warn' },
  apps: ['platform', 'compliance', 'signing'],
});
const admin = new pg.Client({ connectionString: stack.cluster.adminUrl });
await admin.connect();
const browser = await openBrowser();
try {
  const integrator = await signUp(stack);
  const { tenantId } = integrator;
  const [endpointId, rareEndpoint] = [endpointIdOf(tenantId, 'seal'), uuidv7()];
  const rare = { endpointId: rareEndpoint, eventType: RARE_TYPE };
  await manyDeliveries(admin, { tenantId, count: DELIVERIES, endpointId, rare });
  await manyCases(admin, tenantId, { count: CASES });
  await admin.query('vacuum analyze platform.delivery, platform.event, compliance.review_case, compliance.case_term');

  const queries: Record<string, string> = {
    'deliveries, no filter': '/webhook-deliveries?',
    'deliveries, status: failed': '/webhook-deliveries?status=failed',
    'deliveries, status: pending': '/webhook-deliveries?status=pending',
    'deliveries, event type: none': '/webhook-deliveries?event_type=case.opened',
    'deliveries, event type: the oldest': `/webhook-deliveries?event_type=${RARE_TYPE}`,
    'deliveries, endpoint: none': `/webhook-deliveries?endpoint_id=${typeId('whe', uuidv7())}`,
    'deliveries, endpoint: the oldest': `/webhook-deliveries?endpoint_id=${typeId('whe', rareEndpoint)}`,
    'deliveries, endpoint: nearly all': `/webhook-deliveries?endpoint_id=${typeId('whe', endpointId)}`,
    'deliveries, module: the oldest': '/webhook-deliveries?module=billing',
    'events, no filter': '/v1/events?order=desc',
    'events, type: none': '/v1/events?order=desc&event_type=case.opened',
    'events, module: the oldest': '/v1/events?order=desc&module=billing',
  };
  const rows: BenchRow[] = [];
  for (const [name, path] of Object.entries(queries)) {
    const first = async (): Promise<number> => {
      const began = performance.now();
      const response = await fetch(`${stack.baseUrl}${path}&limit=100`, {
        headers: { 'X-API-Key': integrator.apiKey },
      });
      await response.text();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
      return performance.now() - began;
    };
    for (let nth = 0; nth < 5; nth++) await first();
    const ms: number[] = [];
    for (let nth = 0; nth < REQUESTS; nth++) ms.push(await first());
    rows.push({
      name: `First 100 of ${DELIVERIES.toLocaleString('en')} ${name}`,
      ours: percentilesOf(ms),
      other: '–',
      ratio: percentile(ms, 0.95) / API_MS,
      goal: `p95 < ${API_MS} ms`,
    });
    console.log(name, percentilesOf(ms));
  }
  rows.push(...(await onTheScreen(tenantId, integrator.ownerEmail)));
  report(rows);
} finally {
  await browser.close();
  await admin.end();
  await stack.close();
}

async function onTheScreen(tenantId: string, owner: string): Promise<BenchRow[]> {
  const link = await loginLink(stack, tenantId, owner);
  const watched = await visitConsole(stack, browser, { viewport: 'desktop', locale: 'en', link });
  const { page, context } = watched;
  await observeResources(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const text = CONSOLE_TEXTS.en;
  const screens: Record<string, () => Promise<number>> = {
    'the section Deliveries': () => shown(page, text.navigation.entries.deliveries),
    'deliveries that failed': () => chosen(page, DEVELOPERS_TEXT.deliveries.status, 'failed'),
    'deliveries of a type that nobody got': () => chosen(page, DEVELOPERS_TEXT.deliveries.event, 'case.opened'),
    'the section Events': () => shown(page, text.navigation.entries.events),
    'events of a module': () => chosen(page, DEVELOPERS_TEXT.events.module, 'billing'),
    'the section Cases': () => shown(page, text.navigation.entries.cases),
    'cases by status': () => chosen(page, CASES_TEXT.status, 'resolved'),
    'cases by list': () => chosen(page, CASES_TEXT.list, 'OFAC'),
  };
  const times = new Map<string, number[]>(Object.keys(screens).map((name) => [name, []]));
  for (let visit = 0; visit <= VISITS; visit++) {
    await page.goto(`${stack.consoleUrl}/home`); // nothing is in its memory yet
    await page.locator('.sections a').first().waitFor();
    await loaded(page); // a press while the first page still loads is a measure of that one
    for (const [name, show] of Object.entries(screens)) {
      const ms = await show();
      if (visit > 0) times.get(name)?.push(ms); // the first fetches the script of a section, too
    }
  }
  const rows = [...times].map(([name, ms]): BenchRow => ({
    name: `On the screen, processor ${SLOWER} times slower: ${name}`,
    ours: percentilesOf(ms, [0.5, 0.95]),
    other: '–',
    ratio: percentile(ms, 0.95) / SCREEN_MS,
    goal: `p95 < ${SCREEN_MS} ms`,
  }));
  for (const rate of [1, SLOWER]) {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate });
    rows.push(await scrolled(page, rate));
  }
  return rows;
}

function shown(page: Page, name: string): Promise<number> {
  const press = `() => [...document.querySelectorAll('.sections a')].find((e) => e.textContent.trim() === ${JSON.stringify(name)}).click()`;
  return page.evaluate<number>(`(${PAINTED})(${press})`);
}

async function chosen(page: Page, label: string, value: string): Promise<number> {
  const id = await page.getByLabel(label, { exact: true }).getAttribute('id');
  const choose = `() => {
    const select = document.getElementById(${JSON.stringify(id)});
    select.value = ${JSON.stringify(value)};
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }`;
  return page.evaluate<number>(`(${PAINTED})(${choose})`);
}

/** Loads the rows by scrolling to the end again and again, then scrolls through all of them, a screen in each frame. */
async function scrolled(page: Page, rate: number): Promise<BenchRow> {
  await page.goto(`${stack.consoleUrl}/cases`);
  await page.locator('.records-body [role=row]').first().waitFor();
  await page.evaluate(`new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('not all rows within five minutes: ' + document.querySelector('main').innerText.slice(-300))), 300_000);
    const on = () => {
      const height = document.querySelector('.records-body').clientHeight;
      if (height >= ${SCROLLED_ROWS} * 50) return resolve();
      scrollTo(0, document.body.scrollHeight);
      requestAnimationFrame(on);
    };
    on();
  })`);
  const began = await page.evaluate<number>('performance.now()');
  await page.evaluate(`new Promise((resolve) => {
    scrollTo(0, 0);
    const on = () => {
      const before = scrollY;
      scrollBy(0, innerHeight);
      if (scrollY === before || scrollY > ${SCROLLED_ROWS} * 50) return resolve();
      requestAnimationFrame(on);
    };
    requestAnimationFrame(on);
  })`);
  const tasks = (await observed(page)).longTasks.filter(({ startMs }) => startMs >= began);
  const longest = Math.max(0, ...tasks.map(({ durationMs }) => durationMs));
  return {
    name: `${SCROLLED_ROWS.toLocaleString('en')} rows scrolled through${rate === 1 ? '' : `, processor ${rate} times slower`}`,
    ours: longest === 0 ? 'no task over 50 ms' : `longest task ${longest.toFixed(0)} ms (${tasks.length} over 50 ms)`,
    other: '–',
    ratio: longest / LONGEST_TASK_MS,
    goal: `no task over ${LONGEST_TASK_MS} ms`,
  };
}
