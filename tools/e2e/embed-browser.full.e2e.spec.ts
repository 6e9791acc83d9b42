import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { SCREENS, VIEWPORTS } from '@constancia/testing/watched-page';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPANISH as CONSENT } from '../../apps/person-web/src/consent/text/spanish.ts';
import { SPANISH } from '../../apps/person-web/src/text/spanish.ts';
import { ENGLISH } from '../../apps/signer-web/src/text/english.ts';
import { SPANISH as SIGNING } from '../../apps/signer-web/src/text/spanish.ts';
import { grantCredits, type Integrator, inStore, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { call, newCode, publishedCircuit, sendEnvelope, type SentEnvelope } from './envelopes.fixture.ts';
import { blocksOf, runShell } from './guide.fixture.ts';
import { personWithWallet } from './openid/person.fixture.ts';

const GUIDE = 'docs/guides/embed.md';
const installed = browserInstalled('tools/e2e/embed-browser.full.e2e.spec.ts');
const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).error === undefined);

/** A web site of a tenant, or of someone else: the page of the guide, with the address of one embed session. */
class Site {
  embedUrl = '';
  private constructor(
    private readonly server: http.Server,
    readonly origin: string,
  ) {}

  static async start(baseUrl: string): Promise<Site> {
    const [html = ''] = blocksOf(GUIDE, 'html');
    const [script = ''] = blocksOf(GUIDE, 'js');
    const server = http.createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(isScript ? script : html.replace('BASE_URL', baseUrl).replace('EMBED_URL', site.embedUrl));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const site = new Site(server, `http://localhost:${(server.address() as AddressInfo).port}`);
    return site;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A page of a site in a browser of its own, with what its console says: the events of the guide's page, and refusals. */
class Visit {
  readonly said: string[] = [];
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async at(browser: Browser, site: Site, viewport: keyof typeof VIEWPORTS = 'phone'): Promise<Visit> {
    const context = await browser.newContext({ ...VIEWPORTS[viewport], locale: 'es-CO' });
    const visit = new Visit(context, await context.newPage());
    await visit.page.clock.install();
    await visit.page.addInitScript(
      "window.heard = []; addEventListener('message', ({ data }) => { window.lastMessage = data; window.heard.push(data) })",
    );
    visit.page.on('console', (message) => visit.said.push(message.text()));
    await visit.page.goto(site.origin);
    return visit;
  }

  get frame() {
    return this.page.frameLocator('service-embed iframe');
  }

  /** The page in the frame, by its address. */
  inside(embedUrl: string): Frame {
    const frame = this.page.frames().find((each) => each.url() === embedUrl);
    if (frame === undefined) throw new Error('the element holds no frame with this address');
    return frame;
  }

  framesCount(): Promise<number> {
    return this.page.locator('service-embed iframe').count();
  }

  /** The events of the element, without their details. */
  get events(): string[] {
    return this.said.map((text) => /^(\w+) \{/.exec(text)?.[1]).filter((name) => name !== undefined);
  }

  async hears(event: string): Promise<void> {
    await expect.poll(() => this.said.join('\n'), { timeout: 30_000 }).toContain(event);
  }
}

describe.skipIf(!installed || !hasTools)('an embed session in a browser', () => {
  let stack: TestStack;
  let browser: Browser;
  let owner: Integrator;
  let shop: Site;
  let foreign: Site;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'embed-guide-'));

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startDeployment({ env: NO_LIMITS, apps: ['platform', 'signing'] }),
      openBrowser(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']),
    ]);
    owner = await signUp(stack);
    await grantCredits(stack, owner);
    [shop, foreign] = await Promise.all([Site.start(stack.baseUrl), Site.start(stack.baseUrl)]);
    fs.mkdirSync(path.join(folder, '.local'));
    const tenant = { api_key: owner.apiKey, tenant_id: owner.tenantId };
    fs.writeFileSync(path.join(folder, '.local/stack.json'), JSON.stringify({ base_url: stack.baseUrl, tenant }));
  });
  afterAll(async () => {
    await browser?.close();
    shop?.close();
    foreign?.close();
    await stack?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the commands of the guide; answers the embed session. */
  async function created(): Promise<{ id: string; embed_url: string }> {
    const env = { ORIGIN: shop.origin };
    const { status, output } = await runShell(blocksOf(GUIDE, 'sh'), { folder, env });
    expect(status, output).toBe(0);
    return JSON.parse(output.slice(output.indexOf('{"id":"ems_'))) as { id: string; embed_url: string };
  }

  const stateOf = async (id: string) =>
    (await owner.platform.GET('/v1/embed/sessions/{id}', { params: { path: { id } } })).data?.state;

  it('takes the session in a page of an allowed origin, ignores forged messages, leaves no trace, and closes', async () => {
    const { id, embed_url } = await created();
    shop.embedUrl = embed_url;
    const visit = await Visit.at(browser, shop);
    const { page, frame } = visit;
    await visit.hears(`ready {"session":"${id}"}`);
    await visit.hears('step {"session"');
    expect(await stateOf(id)).toBe('opened');
    await page.clock.fastForward(30_000); // longer than the element waits for a frame that says nothing
    expect(visit.events).not.toContain('error');
    expect(await visit.framesCount()).toBe(1);
    expect(visit.said.join('\n')).not.toContain('postMessage');

    const inside = visit.inside(embed_url);
    const last = await page.evaluate<{ session: string; seq: number }>('window.lastMessage');
    expect(last.session).toBe(id);
    const forged = { ...last, type: 'service.embed.failed', seq: last.seq + 50, payload: {} };
    await page.evaluate(`window.postMessage(${JSON.stringify(forged)}, '*')`);
    await inside.evaluate(`parent.postMessage(${JSON.stringify({ ...forged, nonce: 'a'.repeat(32) })}, '*')`);

    await page.evaluate("document.querySelector('service-embed').setTheme({ color_scheme: 'dark' })");
    const colorScheme = () => inside.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');
    await expect.poll(colorScheme).toBe('dark');
    await page.evaluate("document.querySelector('service-embed').setTheme({ color_scheme: 'auto' })");
    await page.screenshot({ path: path.join(SCREENS, 'embed-1-consent-360.png'), fullPage: true });
    await frame.getByLabel(SPANISH.consent.accept).check({ force: true });
    await frame.getByRole('button', { name: SPANISH.consent.submit }).click();
    await visit.hears('"step":"document_upload"');
    expect(visit.events).not.toContain('failed');
    await frame.locator('video').waitFor(); // the camera is the frame's to use
    expect(visit.events).not.toContain('camera_denied');
    expect(visit.said.join('\n')).not.toMatch(/1098765432|emt_|ema_/);

    // A browser may deny storage to a frame of another site: the page needs none.
    const entries = (storage: string) => `(() => { try { return ${storage}.length } catch { return 0 } })()`;
    const kept = await inside.evaluate<unknown[]>(
      `[document.cookie, ${entries('localStorage')}, ${entries('sessionStorage')}]`,
    );
    expect(kept).toEqual(['', 0, 0]);
    expect(await visit.context.cookies()).toEqual([]);

    const second = await Visit.at(browser, shop, 'desktop');
    await second.hears('"code":"already_open"');
    await second.page.screenshot({ path: path.join(SCREENS, 'embed-2-already-open-1280.png') });
    await second.inside(embed_url).evaluate('location.reload()');
    await expect.poll(() => second.events, { timeout: 30_000 }).toEqual(['error', 'error']);
    expect(await second.framesCount()).toBe(1);
    await second.context.close();

    await inStore(
      stack,
      `update identity.flow_session set status = 'completed', current_step = null, completed_at = now() where tenant_id = $1`,
      [owner.tenantId],
    );
    await inside.evaluate("window.dispatchEvent(new Event('online'))");
    await visit.hears('completed {"session"');
    expect(await stateOf(id)).toBe('completed');
    await page.screenshot({ path: path.join(SCREENS, 'embed-3-end-360.png'), fullPage: true });
    await frame.getByRole('button', { name: SPANISH.embed.close }).click();
    await visit.hears('closed {"session"');
    expect(await visit.framesCount()).toBe(0);
    await visit.context.close();
  });

  it('is refused by the browser in a page of another origin, which uses nothing up', async () => {
    const { id, embed_url } = await created();
    foreign.embedUrl = embed_url;
    const visit = await Visit.at(browser, foreign);
    await visit.hears('frame-ancestors');
    expect(visit.said.join('\n')).toContain(`frame-ancestors ${shop.origin}`);
    expect(visit.events).toEqual([]);
    await visit.page.clock.fastForward(20_000);
    await visit.hears('"code":"unavailable"');
    expect(await visit.framesCount()).toBe(0);
    expect(await stateOf(id)).toBe('created');
    await visit.context.close();

    const alone = await browser.newPage({ locale: 'es-CO' });
    const answer = await alone.goto(embed_url);
    expect(answer?.headers()['content-security-policy']).toContain(`frame-ancestors ${shop.origin};`);
    expect(answer?.headers()['x-frame-options']).toBeUndefined();
    await alone.getByRole('heading', { name: SPANISH.embed.alone.title }).waitFor();
    expect(await stateOf(id)).toBe('created');
    await alone.close();
    const plain = await fetch(`${stack.personUrl}/capture`);
    expect(plain.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(plain.headers.get('x-frame-options')).toBe('DENY');
  });

  describe('of a signer', () => {
    const PERSON = { role: 'firmante', email: 'ana-frame@canary.example', name: 'Ana María Núñez' };

    async function embedded(
      changes: object = {},
      auth?: ('otp_email' | 'identity')[],
    ): Promise<{ id: string; embed_url: string; envelope: SentEnvelope }> {
      const { apiKey: key, tenantId } = owner;
      const body = { origins: [shop.origin] };
      await owner.platform.PUT('/tenants/{id}/embed-origins', { params: { path: { id: tenantId } }, body });
      const circuit = await publishedCircuit(stack, owner, {
        parts: [{ role: PERSON.role, order: 1, ...(auth && { auth }) }],
      });
      const envelope = await sendEnvelope(stack, owner, circuit, [PERSON]);
      const session = { kind: 'sign', target_id: envelope.signers[0]?.id, allowed_origins: [shop.origin], ...changes };
      const created = await call<{ id: string; embed_url: string }>(stack, '/v1/embed/sessions', { key, body: session, expect: 201 }); // prettier-ignore
      return { ...created, envelope };
    }

    it('goes from the consent to the signature in a page of an allowed origin, and leaves no trace there', async () => {
      const { id, embed_url, envelope } = await embedded();
      expect(embed_url).toContain(stack.signUrl);
      shop.embedUrl = embed_url;
      const visit = await Visit.at(browser, shop);
      const { page, frame } = visit;
      const screen = (name: string) =>
        page.screenshot({ path: path.join(SCREENS, `embed-sign-${name}.png`), fullPage: true });
      const press = (name: string) => frame.getByRole('button', { name, exact: true }).click();
      await visit.hears(`ready {"session":"${id}"}`);
      await visit.hears('"step":"consent"');
      await frame.getByRole('heading', { name: SIGNING.consent.title }).waitFor();
      await screen('1-consent-360');
      await frame.getByLabel(SIGNING.consent.accept).check({ force: true });
      await press(SIGNING.consent.submit);
      await visit.hears('"step":"otp"');
      await press(SIGNING.otp.send);
      const code = await newCode((address) => stack.mailbox.messages(address), PERSON.email);
      await frame.getByRole('textbox', { name: SIGNING.otp.label }).fill(code);
      await press(SIGNING.otp.submit);
      await visit.hears('"step":"sign"');
      await frame.getByText(SIGNING.document.ready(1)).waitFor({ state: 'attached' });
      await screen('2-read-360');
      const saved = page.waitForEvent('download');
      await press(SIGNING.document.save);
      expect((await saved).suggestedFilename()).toBe('Arriendo del local 12.pdf');
      await press(SIGNING.read.submit);
      await press(SIGNING.fill.submit); // the name that the envelope knows
      await frame.getByLabel(SIGNING.sign.intent).press('Space'); // the frame is still growing: a click may miss it
      expect(await frame.getByLabel(SIGNING.sign.intent).isChecked()).toBe(true);
      await page.evaluate("document.querySelector('service-embed').setTheme({ color_scheme: 'dark' })");
      await screen('3-sign-dark-360');
      await press(SIGNING.sign.submit);
      await visit.hears('completed {"session"');
      await screen('4-end-dark-360');

      const inside = visit.inside(embed_url);
      const entries = (storage: string) => `(() => { try { return ${storage}.length } catch { return 0 } })()`;
      const kept = `[document.cookie, ${entries('localStorage')}, ${entries('sessionStorage')}]`;
      expect(await inside.evaluate<unknown[]>(kept)).toEqual(['', 0, 0]);
      expect(await visit.context.cookies()).toEqual([]);
      expect(visit.said.join('\n')).not.toMatch(/Núñez|canary\.example|emt_|ema_/);
      expect(visit.events.filter((name) => name !== 'step')).toEqual(['ready', 'completed']);
      await press(SIGNING.frame.close);
      await visit.hears('closed {"session"');
      expect(await visit.framesCount()).toBe(0);
      await visit.context.close();

      const { apiKey: key } = owner;
      type Trail = { data: { type: string; data: { frame_origin?: string } }[] };
      const { data } = await call<Trail>(stack, `/v1/envelopes/${envelope.id}/audit?limit=100`, { key, expect: 200 });
      expect(data.find(({ type }) => type === 'signer.signed')?.data.frame_origin).toBe(shop.origin);
    });

    it('opens the page where a signer proves an identity in a tab of its own, out of the frame and its sandbox', async () => {
      await owner.platform.POST('/v1/flows/seed-default');
      const { embed_url } = await embedded({}, ['identity']);
      shop.embedUrl = embed_url;
      const visit = await Visit.at(browser, shop);
      const { frame } = visit;
      await frame.getByLabel(SIGNING.consent.accept).check({ force: true });
      await frame.getByRole('button', { name: SIGNING.consent.submit, exact: true }).click();
      await visit.hears('"step":"identity"');
      await frame.getByLabel(SIGNING.identity.number).fill('1098765432');
      await frame.getByRole('button', { name: SIGNING.identity.submit, exact: true }).click();
      const opened = visit.context.waitForEvent('page');
      await frame.getByRole('link', { name: SIGNING.identity.open }).click();
      const tab = await opened;
      await tab.getByLabel(SPANISH.consent.accept).check({ force: true });
      expect(tab.url().startsWith(`${stack.personUrl}/capture`)).toBe(true);
      expect(await tab.evaluate('[opener, parent === window]')).toEqual([null, true]);
      await tab.getByRole('button', { name: SPANISH.consent.submit }).click();
      await tab.locator('video').waitFor(); // a sandbox would keep the camera from it
      await expect.poll(() => tab.evaluate('document.querySelector("video").videoWidth > 0')).toBe(true);
      expect(visit.said.join('\n')).not.toMatch(/1098765432|cap_|emt_|ema_/);
      expect(await visit.framesCount()).toBe(1);
      await frame.getByText(SIGNING.identity.waiting).first().waitFor();
      await visit.context.close();
    });

    it('begins in the language and colours that the tenant chose, and is lost for a second frame', async () => {
      const { embed_url } = await embedded({ locale: 'en', theme: { color_scheme: 'dark' } });
      shop.embedUrl = embed_url;
      const visit = await Visit.at(browser, shop, 'desktop');
      await visit.frame.getByRole('heading', { name: ENGLISH.consent.title }).waitFor();
      await visit.page.screenshot({
        path: path.join(SCREENS, 'embed-sign-5-consent-dark-en-1280.png'),
        fullPage: true,
      });
      const second = await Visit.at(browser, shop);
      await second.hears('"code":"already_open"');
      await second.frame.getByRole('heading', { name: SIGNING.frame.already_open.title }).waitFor();
      await second.context.close();
      await visit.context.close();
    });
  });

  describe('of a request for a kept verification', () => {
    const EMAIL = 'xiomara-frame@canary.example';
    const BANK = 'Cooperativa de Prueba';
    beforeAll(() => personWithWallet(stack, owner, EMAIL));

    async function embedded(): Promise<{ id: string; embed_url: string; requested: string }> {
      const { tenantId: id, platform } = owner;
      const body = { origins: [shop.origin] };
      await platform.PUT('/tenants/{id}/embed-origins', { params: { path: { id } }, body });
      const asked = { wallet_hint: 'qr', channel: 'redirect', purpose: 'Abrir su cuenta' } as const;
      const { data } = await platform.POST('/v1/wallet/request-presentation', { body: asked });
      const requested = data?.id as string;
      const session = { kind: 'wallet_consent' as const, target_id: requested, allowed_origins: [shop.origin] };
      const created = await platform.POST('/v1/embed/sessions', { body: session });
      return { id: created.data?.id as string, embed_url: created.data?.embed_url as string, requested };
    }

    /** A person in the frame of a request, who proves by a mailed code whose the wallet is. */
    async function proved(embed_url: string) {
      shop.embedUrl = embed_url;
      const visit = await Visit.at(browser, shop);
      const press = (name: string) => visit.frame.getByRole('button', { name, exact: true }).click();
      const heading = (name: string) => visit.frame.getByRole('heading', { level: 1, name }).waitFor();
      const screen = (name: string) =>
        visit.page.screenshot({ path: path.join(SCREENS, `embed-wallet-${name}.png`), fullPage: true });
      await heading(CONSENT.request.title(BANK));
      expect(await visit.frame.getByRole('button', { name: CONSENT.identify.passkey }).count()).toBe(0);
      await screen('1-request-360');
      await inStore(stack, `update identity.sign_in_code set sends = '{}'`); // another code at once
      const mails = () => stack.mailbox.messages(EMAIL);
      const before = mails().length;
      await visit.frame.getByLabel(CONSENT.identify.address).fill(EMAIL);
      await press(CONSENT.identify.send);
      await expect.poll(() => mails().length, { timeout: 30_000 }).toBeGreaterThan(before);
      await visit.frame.getByLabel(CONSENT.code.code).fill(await newCode(mails, EMAIL));
      await press(CONSENT.code.submit);
      await heading(CONSENT.decide.title(BANK));
      await screen('2-decide-360');
      return { visit, press, heading, screen };
    }

    it('is approved with a mailed code in a page of an allowed origin, which hears nothing before', async () => {
      const { id, embed_url, requested } = await embedded();
      const { visit, press, heading, screen } = await proved(embed_url);
      await visit.page.clock.fastForward(6_000); // the frame asks how it stands for the tenant
      expect(visit.events).toEqual(['ready', 'step']);
      expect(await stateOf(id)).toBe('opened');
      await press(CONSENT.decide.approve);
      await heading(CONSENT.end.approved);
      await visit.hears(`completed {"session":"${id}"}`);
      await screen('3-approved-360');
      expect(visit.events).toEqual(['ready', 'step', 'completed']);
      type Heard = { type: string; payload: { height?: number } }[];
      const heights = (await visit.page.evaluate<Heard>('window.heard')).flatMap(
        ({ payload: { height = [] } }) => height,
      );
      expect(heights).toEqual([720]); // the same on every screen
      const inside = visit.inside(embed_url);
      const entries = (storage: string) => `(() => { try { return ${storage}.length } catch { return 0 } })()`;
      const kept = `[document.cookie, ${entries('localStorage')}, ${entries('sessionStorage')}]`;
      expect(await inside.evaluate<unknown[]>(kept)).toEqual(['', 0, 0]);
      expect(await visit.context.cookies()).toEqual([]);
      expect(visit.said.join('\n')).not.toMatch(/xiomara|emt_|ema_|wpr_/);
      await press(CONSENT.embed.close);
      await visit.hears('closed {"session"');
      expect(await visit.framesCount()).toBe(0);
      await visit.context.close();
      const shown = await owner.platform.GET('/v1/wallet/presentations/{id}', { params: { path: { id: requested } } });
      expect([shown.data?.status, await stateOf(id)]).toEqual(['approved', 'completed']);
    });

    it('declined without telling, is heard as expired once its time is over, and as nothing before', async () => {
      const { id, embed_url, requested } = await embedded();
      const { visit, press, heading } = await proved(embed_url);
      await press(CONSENT.decline.open);
      await press(CONSENT.decline.submit);
      await heading(CONSENT.end.declined);
      await visit.page.clock.fastForward(6_000);
      expect(visit.events).toEqual(['ready', 'step']);
      expect(await visit.frame.getByRole('button', { name: CONSENT.embed.close }).count()).toBe(0);
      expect(await stateOf(id)).toBe('opened');
      const sql = `update identity.wallet_presentation set expires_at = now() where tenant_id = $1 and status = 'pending'`;
      await inStore(stack, sql, [owner.tenantId]);
      await visit.page.clock.fastForward(6_000);
      await visit.hears(`expired {"session":"${id}"}`);
      expect(await stateOf(id)).toBe('expired');
      const path = { id: requested };
      const status = async () =>
        (await owner.platform.GET('/v1/wallet/presentations/{id}', { params: { path } })).data?.status;
      await expect.poll(status, { timeout: 15_000 }).toBe('expired');
      await press(CONSENT.embed.close);
      await visit.hears('closed {"session"');
      await visit.context.close();
    });
  });

  it('is announced once to be unavailable by an element with another address, to listeners that were added later', async () => {
    shop.embedUrl = `${stack.personUrl}/capture`;
    const visit = await Visit.at(browser, shop);
    await visit.hears('"code":"unavailable"');
    expect(visit.events).toEqual(['error']);
    expect(await visit.framesCount()).toBe(0);
    await visit.context.close();
  });
});
