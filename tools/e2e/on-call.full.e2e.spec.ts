import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { bundled, eventually, type TestStack, webhookSink, type WebhookSink } from '@constancia/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { WatchedPage } from '@constancia/testing/watched-page';
import {
  type Integrator, NO_LIMITS, requestSignature, settled, signUp, startDeployment, uploadTemplate,
} from './deployment.fixture.ts'; // prettier-ignore
import { blocksOf, runShell } from './guide.fixture.ts';

const GUIDE = 'docs/guides/on-call.md';
const TOKEN = 'the-token-of-the-operators-of-this-test';
const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) console.warn(`${GUIDE} is not run: ${missing.join(', ')} missing`);

let stack: TestStack;
let integrator: Integrator;
let slug: string;
let sink: WebhookSink;
let program: string;
/** An event of a sealed document, once there is one. */
let sealed: string;

beforeAll(async () => {
  const apps = ['platform', 'compliance', 'signing', 'sealing-worker', 'webhook-dispatcher'] as const;
  [stack, program] = await Promise.all([
    startDeployment({ env: { ...NO_LIMITS, OPS_TOKEN: TOKEN }, apps }),
    bundled(path.join(WORKSPACE, 'tools/ops/ops.ts')),
  ]);
  sink = await webhookSink();
  integrator = await signUp(stack);
  const { data } = await integrator.platform.GET('/tenants/{id}', { params: { path: { id: integrator.tenantId } } });
  slug = data?.slug as string;
});
afterAll(async () => {
  await sink?.close();
  await stack?.close();
});

const doors = () => ({
  OPS_TOKEN: TOKEN,
  OPS_URL_PLATFORM: stack.app('platform').opsUrl,
  OPS_URL_COMPLIANCE: stack.app('compliance').opsUrl,
  OPS_URL_SIGNING: stack.app('signing').opsUrl,
});

/** The receiver says 410 once, and is well from then on: the person on call has mended it meanwhile. */
function goneOnce(): void {
  let gone = true;
  sink.behave((response) => {
    response.writeHead(gone ? 410 : 204).end();
    gone = false;
  });
}

/** A delivery that the receiver has refused for good: it has failed, and its endpoint is disabled. */
async function refusedDelivery(): Promise<{ id: string; event_id: string }> {
  goneOnce();
  await registers();
  const { data } = await integrator.platform.POST('/tenants/{id}/webhook-endpoints/{module}/test', {
    params: { path: { id: integrator.tenantId, module: 'seal' } },
  });
  const delivery = data as { id: string; event_id: string };
  await eventually(async () => {
    const shown = await integrator.platform.GET('/webhook-deliveries/{id}', { params: { path: { id: delivery.id } } });
    expect(shown.data?.status).toBe('failed');
  });
  return delivery;
}

const registers = () =>
  integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
    params: { path: { id: integrator.tenantId, module: 'seal' } },
    body: { url: sink.url },
  });

describe.skipIf(missing.length > 0)(GUIDE, () => {
  it('says commands that find out why an event did not arrive and send it again, and all the others, as they stand there', async () => {
    goneOnce();
    const folder = fs.mkdtempSync(path.join(fs.realpathSync(path.join(WORKSPACE, 'dist')), 'guide-'));
    // `npm run -s ops --`, without npm's own second each time.
    const npm = `npm() { [ "$1 $2 $3 $4" = "run -s ops --" ] && "${process.execPath}" "${program}" "\${@:5}"; }`;
    const { status, output } = await runShell([npm, ...blocksOf(GUIDE, 'sh').slice(1)], {
      folder,
      env: {
        ...doors(),
        KEY: integrator.apiKey,
        TENANT: integrator.tenantId,
        SLUG: slug,
        BASE_URL: stack.baseUrl,
        RECEIVER: sink.url,
      },
    });
    fs.rmSync(folder, { recursive: true, force: true });
    expect(status, output).toBe(0);
    const shown = [
      'true',
      'gone',
      'endpoint.test',
      'attempt 1',
      'It failed for good after one attempt: the receiver answered 410 (gone)',
      'Its endpoint is disabled (gone)',
      'npm run ops -- endpoints resume whe_',
      'receives deliveries again',
      'is queued again',
      'It arrived: attempt 2 was answered with 204.',
      'Nothing was sent: this was a dry run.',
      'is paused until',
      'Webhooks: nothing waits',
      'hints sent',
      'The ledger is correct',
      'FATF',
      slug,
      'has 2,000 credits now.',
      'tenant.granted',
      'The audit log is correct',
    ];
    let at = 0;
    for (const answer of shown) {
      const found = output.indexOf(answer, at);
      expect(found, `${answer} after ${output.slice(0, at).slice(-200)} in\n${output}`).toBeGreaterThanOrEqual(at);
      at = found + answer.length;
    }
  });

  it('is right about a trace: from the request over the seal to the receiver, reported by both modules on one screen', async () => {
    await registers();
    sink.behave((response) => response.writeHead(204).end());
    const accepted = await requestSignature(stack, integrator, await uploadTemplate(stack, integrator));
    const { id } = (await accepted.json()) as { id: string };
    await settled(stack, integrator, id);
    const delivery = await sink.waitFor(({ body }) => body.includes(id));
    const { event_id: event } = JSON.parse(delivery.body) as { event_id: string };
    sealed = event;
    const traced = () => spawnSync(process.execPath, [program, 'trace', event], { encoding: 'utf8', env: doors() });
    // Its outcome is written a moment after the answer.
    const said = await eventually(() => {
      const trace = traced();
      expect(trace.stdout, trace.stderr).toContain('It arrived');
      return trace;
    });
    expect(said.status, said.stderr).toBe(0);
    for (const part of [id, 'debit', 'signing', 'attempt 1', 'It arrived: attempt 1 was answered with 204.']) {
      expect(said.stdout).toContain(part);
    }
    expect(said.stdout).not.toContain('was not asked');
    const lines = said.stdout.split('\n');
    expect(lines.length).toBeLessThan(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});

const withBrowser = browserInstalled("the operators' page");

describe.skipIf(!withBrowser)("the operators' page", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const reads = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const goes = async (page: Page, name: string) => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  async function opened(viewport: 'phone' | 'desktop', locale: 'es-CO' | 'en', hash = ''): Promise<WatchedPage> {
    const origin = stack.app('platform').opsUrl;
    const watched = await WatchedPage.open(browser, { viewport, locale, origin, secret: TOKEN });
    await watched.page.goto(`${origin}/ops/page${hash}`);
    return watched;
  }

  async function enters(page: Page, name: string, token: string, texts: [name: string, enter: string]): Promise<void> {
    await page.getByLabel(texts[0]).fill(name);
    await page.getByLabel('Token').fill(token);
    await press(page, texts[1]);
  }

  it('leads from a failed delivery to its arrival, in Spanish, on a phone', async () => {
    const { id, event_id: event } = await refusedDelivery();
    const watched = await opened('phone', 'es-CO');
    const { page } = watched;
    await enters(page, 'ana', 'x'.repeat(40), ['Su nombre', 'Iniciar sesión']);
    await reads(page, 'El proceso no acepta este token.');
    await watched.screen('ops-enter');
    await enters(page, 'ana', TOKEN, ['Su nombre', 'Iniciar sesión']);
    await reads(page, 'Webhooks por enviar');
    await watched.screen('ops-lag');

    await goes(page, 'Entregas');
    await page.getByLabel('Cliente (slug o id)').fill(slug);
    await page.getByLabel('Estado').selectOption('failed');
    await press(page, 'Filtrar');
    await page.getByRole('link', { name: id }).click();
    await reads(page, /Falló en definitiva tras un intento: el receptor respondió 410/);
    await watched.screen('ops-delivery');
    await press(page, 'Reanudar');
    await page.getByRole('dialog').getByLabel('Motivo').fill('caso 7');
    await watched.screen('ops-dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Reanudar' }).click();
    await reads(page, /recibe entregas otra vez/);
    await press(page, 'Enviar otra vez');
    await page.getByRole('dialog').getByLabel('Motivo').fill('caso 7');
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar otra vez' }).click();
    await reads(page, /vuelve a la cola/);
    await eventually(() => expect(sink.received.filter(({ body }) => body.includes(event))).toHaveLength(2));

    await page.getByRole('link', { name: event }).click();
    await page.getByRole('heading', { level: 1, name: 'Rastro' }).waitFor();
    await reads(page, 'Qué pasó');
    await watched.screen('ops-trace');
    await goes(page, 'Auditoría');
    await reads(page, 'delivery.replayed');
    await press(page, 'Verificar la cadena');
    await reads(page, /El registro cuadra/);
    await watched.screen('ops-audit');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Iniciar sesión' }).waitFor(); // the token is forgotten
    await watched.close();
    expect(watched.problems.filter((problem) => !problem.includes('status of 401'))).toEqual([]);
  });

  it('counts before it replays, and pauses and resumes an endpoint, in English, on a desktop', async () => {
    await refusedDelivery();
    const watched = await opened('desktop', 'en', '#%'); // a link that was cut
    const { page } = watched;
    await enters(page, 'luis', TOKEN, ['Your name', 'Sign in']);
    await goes(page, 'Endpoints');
    await page.getByLabel('Tenant (slug or id)').fill(slug);
    await press(page, 'Filter');
    await expect.poll(() => page.getByText('disabled: gone').count()).toBeGreaterThan(0);
    await watched.screen('ops-endpoints');
    await page.getByRole('button', { name: /^Resume whe_/ }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('ticket 8');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await reads(page, /receives deliveries again/);

    await goes(page, 'Replay');
    await page.getByLabel('Reason').fill('ticket 8');
    await press(page, 'Count');
    await reads(page, 'Say whose: one tenant, or all.');
    await page.getByLabel('Tenant (slug or id)').fill(slug);
    await press(page, 'Count');
    await reads(page, 'Deliveries that match: 1.');
    const send = page.getByRole('button', { name: 'Send 1' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel(/^I want to send all/).check();
    await watched.screen('ops-replay');
    await send.click();
    await expect.poll(() => page.getByText('1 of 1 queued again, 0 skipped').count()).toBeGreaterThan(0);
    await expect.poll(() => page.getByText('completed', { exact: true }).count()).toBeGreaterThan(0);
    await watched.screen('ops-run');

    await goes(page, 'Endpoints');
    await page.getByRole('button', { name: /^Pause whe_/ }).click();
    await page.getByRole('dialog').getByLabel('Minutes').fill('5');
    await page.getByRole('dialog').getByLabel('Reason').fill('asked for');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await reads(page, /is paused until/);
    await page.getByRole('button', { name: /^Resume whe_/ }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('ticket 8');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await reads(page, /receives deliveries again/);
    await goes(page, 'Trace');
    await page.getByLabel('Id', { exact: true }).fill(sealed);
    await press(page, 'Find');
    await reads(page, 'what happened before in the module signing');
    await watched.screen('ops-trace');
    await goes(page, 'Endpoints');
    await press(page, 'Español');
    await page.getByRole('heading', { level: 1, name: 'Destinos' }).waitFor();
    await watched.close();
    expect(watched.problems).toEqual([]);
  });
});
