import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { type TestStack, webhookSink, type WebhookSink } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { SCREENS, type WatchedPage } from '@constancia/testing/watched-page';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CONSOLE_TEXTS,
  consoleProblems,
  loaded,
  loginLink,
  type Locale,
  visitConsole,
} from './console-visit.fixture.ts';
import { type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { tenantWithMonth } from './month.fixture.ts';
import { type OwnedResources, ownedResourcesOf } from './owned-resources.fixture.ts';

const installed = browserInstalled('tools/e2e/console-screens.full.e2e.spec.ts');
const CONSOLE = path.join(WORKSPACE, 'apps/console/src');
const WIDTHS = [360, 768, 1440];

/** The path of every page that the console's routers name: a new page is visited without being added here. */
function pathsOfConsole(): string[] {
  const routers = fs
    .readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(routes|router)\.tsx?$/.test(file))
    .map((file) => fs.readFileSync(path.join(CONSOLE, file), 'utf8'));
  return routers.flatMap((source) => [...source.matchAll(/^ +path: '(\/[^']+)'/gm)].map((match) => match[1] as string));
}

const PATHS = pathsOfConsole();
const LISTS = PATHS.filter((at) => !at.includes('$'));

/** Where a page of one thing is, for each path with an id. */
function detailsOf({ ids, ...owned }: OwnedResources): Record<string, string> {
  const id = (prefix: string, app?: string): string => {
    const found = ids.find(([of, at]) => at === prefix && (app === undefined || of === app))?.[2];
    if (found === undefined) throw new Error(`the tenant has nothing at ${prefix}`);
    return found;
  };
  return {
    '/cases/$id': id('/v1/cases/'),
    '/developers/deliveries/$id': owned.deliveryId,
    '/developers/events/$id': owned.eventId,
    '/identity/reviews/$id': owned.sessionId,
    '/identity/sessions/$id': owned.sessionId,
    '/identity/flows/$id': id('/v1/flows/'),
    '/identity/subjects/$id': owned.subjectId,
    '/identity/erasures/$id': id('/v1/erasures/', 'platform'),
    '/money/topups/$id': id('/v1/billing/topups/'),
    '/persons/consents/$id': id('/v1/wallet/presentations/'),
    '/rules/$id': owned.draftValidationId,
    '/rules/$id/try': owned.validationId,
    '/rules/$id/backtest': owned.draftValidationId,
    '/rules/$id/rule/$ruleId': owned.validationId,
    '/screenings/$id': id('/v1/screenings/'),
    '/screenings/batches/$id': id('/v1/screening-batches/'),
    '/signing/templates/$id': owned.templateId,
    '/signing/documents/$id': id('/v1/signatures/'),
    '/signing/circuits/$id': owned.draftCircuitId,
    '/signing/envelopes/$id': owned.envelopeId,
    '/signing/batches/$id': id('/v1/envelope-batches/'),
    '/team/members/$id': id('/v1/members/'),
  };
}

describe.skipIf(!installed)('every screen of the console', () => {
  let stack: TestStack;
  let browser: Browser;
  let sink: WebhookSink;
  let busy: Integrator;
  let small: Integrator;
  let owned: OwnedResources;

  beforeAll(async () => {
    [stack, browser, sink] = await Promise.all([
      startDeployment({ env: { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000' } }),
      openBrowser(),
      webhookSink(),
    ]);
    small = await signUp(stack);
    owned = await ownedResourcesOf(stack, small, sink);
    busy = await tenantWithMonth(stack, sink);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await sink?.close();
    await stack?.close();
  });

  const visitAs = async ({ tenantId, ownerEmail }: Integrator, locale: Locale): Promise<WatchedPage> =>
    visitConsole(stack, browser, {
      viewport: 'desktop',
      locale,
      link: await loginLink(stack, tenantId, ownerEmail),
    });

  /** What is wrong with the page at this address, at each width, in light and dark colours. */
  async function faultsAt(visit: WatchedPage, at: string, locale: Locale): Promise<string[]> {
    const { page } = visit;
    await page.goto(`${stack.consoleUrl}${at}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loaded(page);
    const faults: string[] = [];
    if (!(await page.title()).endsWith(' · Constancia')) faults.push(`the title is ${await page.title()}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      if (await visit.overflows()) faults.push(`${width} px: wider than the screen`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        faults.push(...(await visit.inaccessible()).map((fault) => `${width} px, ${colorScheme}: ${fault}`));
      }
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      const name = `console-page${at.replaceAll(/\/(\w+_\w+)/g, '').replaceAll('/', '-')}.${width}.${locale}.png`;
      await page.screenshot({ path: path.join(SCREENS, name), fullPage: true, animations: 'disabled' });
    }
    if (await page.getByText(CONSOLE_TEXTS[locale].failed, { exact: true }).count()) faults.push('it was not opened');
    return faults.map((fault) => `${at}: ${fault}`);
  }

  it.each(['es-CO', 'en'] as const)(
    'is accessible and fits, at 360, 768 and 1440 px, in light and dark colours (%s)',
    async (locale) => {
      fs.mkdirSync(SCREENS, { recursive: true });
      const details = detailsOf(owned);
      expect(PATHS.filter((at) => at.includes('$')).sort()).toEqual(Object.keys(details).sort());
      const faults: string[] = [];
      const month = await visitAs(busy, locale);
      for (const at of LISTS) faults.push(...(await faultsAt(month, at, locale)));
      const one = await visitAs(small, locale);
      for (const [at, id] of Object.entries(details))
        faults.push(...(await faultsAt(one, at.replace('$id', id).replace('$ruleId', owned.ruleId), locale)));
      expect([...faults, ...(await consoleProblems(stack, month)), ...(await consoleProblems(stack, one))]).toEqual([]);
    },
    1_800_000,
  );
});
