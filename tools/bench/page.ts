/**
 * The signing page in a headless browser, over the loopback: how much script it loads before it is of use, and when the first state is
 * shown to a processor four times slower. The server is the stand-in of apps/signer-web/dev, which answers from memory; what the real
 * one takes for a state is measured apart.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { startSignServer } from '../../apps/signer-web/dev/sign-server.ts';
import { buildPages, FIRST_SCRIPT_LIMIT_KB } from '../build/page.mjs';
import { openBrowser } from '@constancia/testing/browser';
import { median, report } from './measure.ts';

const VISITS = 15;
const SLOWER = 4;
const LIMIT_MS = 1_000;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-page-'));
const firstScriptKb: Record<string, number> = {};
for (const pages of ['apps/signer-web', 'apps/ops-web'])
  Object.assign(firstScriptKb, (await buildPages(pages, folder)).firstScriptKb);
fs.rmSync(folder, { recursive: true, force: true });

const server = await startSignServer();
const browser = await openBrowser();
const shown: number[] = [];
const worked: number[] = [];
for (let visit = 0; visit < VISITS; visit++) {
  const { link } = server.add();
  shown.push((await firstState(browser, link, SLOWER)).shownMs);
  worked.push((await firstState(browser, link, 1)).processorMs);
}
await browser.close();
await server.close();

/**
 * Opens a link with nothing cached. processorMs: what the page's main thread has worked, which other programs do not lengthen; without
 * what was done for the one who measures.
 */
async function firstState(browser: Browser, link: string, slower: number) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.addInitScript(`
    new MutationObserver((_, observer) => {
      if (document.querySelector('h1') === null) return;
      observer.disconnect();
      performance.mark('shown');
    }).observe(document, { subtree: true, childList: true });
  `);
  await page.goto(link);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { metrics } = await devtools.send('Performance.getMetrics');
  const shownMs = await page.evaluate<number>("performance.getEntriesByName('shown')[0].startTime");
  await context.close();
  const seconds = (of: string): number => metrics.find(({ name }) => name === of)?.value ?? Number.NaN;
  return { shownMs, processorMs: (seconds('TaskDuration') - seconds('DevToolsCommandDuration')) * 1000 };
}

const whole = (value: number): string => String(Math.round(value));
report([
  ...Object.entries(firstScriptKb).map(([name, kilobytes]) => ({
    name: `page ${name}: script before it is of use, KB gzipped`,
    ours: whole(kilobytes),
    other: '–',
    ratio: null,
    goal: `≤ ${FIRST_SCRIPT_LIMIT_KB}`,
  })),
  {
    name: `first state shown, processor ${SLOWER} times slower, ms (median of ${VISITS})`,
    ours: whole(median(shown)),
    other: '–',
    ratio: null,
    goal: `≤ ${LIMIT_MS}`,
  },
  {
    name: "the main thread's own work until then, at full speed, ms (median)",
    ours: whole(median(worked)),
    other: '–',
    ratio: null,
    goal: '–',
  },
]);
