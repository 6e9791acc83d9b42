import { hashSecret } from '@constancia/auth';
import { OldEmbedSessions } from '@constancia/embed-sessions';
import { uuidOf } from '@constancia/kernel';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AskingTenant, ConsentPage } from '../consent/reuse.fixture.ts';
import { FlowCaller } from '../running-identity.fixture.ts';
import { signedInPerson } from '../wallet/signed-in-person.fixture.ts';
import { documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';
import { createEmbed, pathIn, registerOrigins, SHOP } from './embed.fixture.ts';

const ANA = 'ana.ruiz@correo.example.co';
const NOBODY = 'nobody@correo.example.co';
const CÉDULA = documentOf('approve');
const LINK = { wallet_hint: 'qr', channel: 'redirect', purpose: 'Abrir su cuenta' };

let store: TestDatabase;
let wallets: RunningWallets;
let walletId: string;
let bank: FramingTenant;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store, { PERSON_URL: 'https://person.example/' });
  ({ walletId } = await wallets.keeper(CÉDULA, ANA));
});
beforeEach(async () => {
  bank = await FramingTenant.create();
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

interface Embedded {
  /** Of the request, and of the embed session. */
  id: string;
  embedId: string;
  token: string;
  path: string;
}

/** A tenant that shows its requests in frames. */
class FramingTenant {
  private constructor(
    readonly asking: AskingTenant,
    readonly flows: FlowCaller,
  ) {}

  static async create(): Promise<FramingTenant> {
    const asking = await AskingTenant.create(wallets, 10_000);
    const flows = new FlowCaller(wallets.platform, asking.tenant, store);
    await registerOrigins(flows);
    return new FramingTenant(asking, flows);
  }

  embed(target_id: string, more: object = {}) {
    return createEmbed(this.flows, { kind: 'wallet_consent', target_id, ...more });
  }

  /** A new request, or the one with this id, in an embed session. */
  async embedded(id?: string): Promise<Embedded> {
    const target = id ?? (await this.asking.link()).id;
    const { status, body, text } = await this.embed(target);
    if (status !== 201) throw new Error(text);
    return { id: target, embedId: body.id, token: body.token, path: pathIn(body.embed_url) };
  }

  /** The same, which a frame has opened. */
  async framed(id?: string): Promise<Embedded & { frame: ConsentPage; access: string }> {
    const embedded = await this.embedded(id);
    const access = (await exchange(embedded)).body.access_token;
    return { ...embedded, access, frame: ConsentPage.framed(wallets, { path: embedded.path, access }) };
  }

  show(embedId: string) {
    const { apiKey: key } = this.asking.tenant;
    return wallets.platform.call<{ state: string }>(`/v1/embed/sessions/${embedId}`, { key });
  }

  /** Everything that the tenant can see of a request and its embed session, but for names and times. */
  async view({ id, embedId, path }: Embedded): Promise<unknown> {
    const [embed, token, request] = await Promise.all([
      this.show(embedId),
      wallets.platform.call<{ state: string; step: string | null }>(`${path}/state`),
      this.asking.show(id),
    ]);
    const { status, subject_id, credits_held } = request.body;
    return {
      embed: embed.body.state,
      token: [token.status, token.body.state, token.body.step],
      request: { status, subject_id, credits_held },
      events: (await this.asking.events()).filter(({ payload }) => payload.presentation_id === id),
    };
  }
}

const exchange = ({ path }: Pick<Embedded, 'path'>, parent_origin = SHOP) =>
  wallets.platform.call<{ access_token: string }>(`${path}/exchange`, { body: { parent_origin } });
const unlock = () => store.query('update identity.sign_in_code set wrong_attempts = 0, locked_until = null');

describe('a request in a frame', () => {
  it('is approved there with a mailed code, without a cookie, and the tenant learns nothing before', async () => {
    const { body: asked } = await bank.asking.request({ ...LINK, external_ref: 'customer-1' });
    const created = await bank.embed(asked.id, { locale: 'en', ttl_s: 3_600 });
    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ kind: 'wallet_consent', target_id: asked.id, state: 'created', expires_at: asked.expires_at },
        embed_url: expect.stringMatching(/^https:\/\/person\.example\/v1\/embed\/sessions\/emt_[0-9A-Za-z]{49}\/ui$/),
      },
    });
    const path = pathIn(created.body.embed_url);
    const first = await wallets.platform.call(`${path}/state`);
    expect(first.body).toMatchObject({ kind: 'wallet_consent', state: 'created', step: 'consent', locale: 'en' });
    const opened = await exchange({ path });
    expect([opened.status, (await exchange({ path })).status]).toEqual([200, 409]);

    const frame = ConsentPage.framed(wallets, { path, access: opened.body.access_token });
    const embedded = { id: asked.id, embedId: created.body.id, token: created.body.token, path };
    const before = await bank.view(embedded);
    expect(before).toMatchObject({ embed: 'opened', token: [200, 'opened', 'consent'], events: [] });
    expect((await frame.state()).body).toMatchObject({ step: 'identify', challenge: { methods: ['otp'] } });
    const state = await frame.stepUp(ANA);
    expect(state).toMatchObject({ step: 'decide', obstacle: null });
    expect(await bank.view(embedded)).toEqual(before);
    for (const route of ['passkey/options', 'passkey']) {
      expect((await frame.call(route, { assertion: {} })).status, route).toBe(404);
    }

    const approved = await frame.approve(state);
    expect(approved.status).toBe(200);
    expect((await frame.approve(state)).text).toBe(approved.text);
    const after = (await bank.view(embedded)) as { events: { type: string }[] };
    expect(after).toMatchObject({ embed: 'completed', token: [200, 'completed', null], request: { credits_held: 0 } });
    expect(after.events.map(({ type }) => type)).toEqual(['wallet.presentation.approved']);
    expect(frame.cookies).toEqual([]);
    const { body } = await wallets.platform.call<{ consents: { kind: string; frame_origin: string | null }[] }>(
      '/v1/wallet/me/export',
      { headers: { authorization: `Bearer ${await signedInPerson(wallets.platform, store, walletId)}` } },
    );
    const origins = body.consents.map(({ kind, frame_origin }) => [kind, frame_origin]);
    expect(origins.sort()).toEqual([['keep', null], ['share', SHOP]]); // prettier-ignore
  });

  it('is answered by its own frame alone: with its access token, its nonce, from its own page, on the person host', async () => {
    const [one, elsewhere] = [await bank.framed(), await bank.framed()];
    const again = await bank.framed(one.id); // another tab, to which the tenant gave the same request
    const { host, platform } = wallets;
    for (const token of [undefined, elsewhere.access, again.access, one.token, bank.asking.tenant.apiKey]) {
      expect((await host.call(`${one.path}/consent/state`, { token })).status).toBe(401);
      expect((await host.call(`${one.path}/consent/approve`, { token, body: {} })).status).toBe(401);
    }
    const { body: shown } = await again.frame.state();
    const state = await one.frame.stepUp(ANA);
    expect((await again.frame.state()).body).toMatchObject({ step: 'identify', verification: null, consent: null });
    expect(shown.nonce).not.toBe(state.nonce);
    expect((await again.frame.approve(state)).status).toBe(409);
    expect((await again.frame.call('decline', { tell_tenant: true })).status).toBe(409);
    expect((await again.frame.call('decline', { tell_tenant: false, nonce: state.nonce })).status).toBe(400);
    expect((await one.frame.call('decline', { tell_tenant: false, nonce: 'A'.repeat(43) })).status).toBe(400);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await one.frame.approve(state, { 'sec-fetch-site': site })).status, site).toBe(403);
    }
    const headers = { authorization: `Bearer ${one.access}` };
    expect((await fetch(`${platform.url}${one.path}/consent/state`, { headers })).status).toBe(404);
    expect((await bank.asking.show(one.id)).body.status).toBe('pending');
    expect((await one.frame.approve(state)).status).toBe(200);
    expect((await again.frame.approve(state)).status).toBe(409);
  });

  it('does not open the page of the link, nor the link the frame, and ends with five wrong codes', async () => {
    const { id, page } = await bank.asking.link();
    const { frame } = await bank.framed(id);
    await frame.stepUp(ANA);
    expect((await page.state()).body.step).toBe('identify');
    await page.stepUp(ANA);
    expect((await frame.state()).body.step).toBe('identify');
    const other = await bank.framed();
    await other.frame.state();
    await wallets.forgetSends();
    await other.frame.call('otp/send', { identifier: ANA });
    const statuses = [];
    for (let times = 0; times < 6; times += 1) {
      statuses.push((await other.frame.call('otp/verify', { code: '000000' })).status);
    }
    await unlock();
    expect(statuses).toEqual([422, 422, 422, 422, 422, 404]);
    expect((await other.frame.state()).status).toBe(404);
    expect(await bank.view(other)).toMatchObject({ embed: 'opened', token: [200, 'opened', 'consent'] });
  });
});

describe('what the tenant sees', () => {
  it('is the same of a person who declined without telling, of one who ran out of codes, and of nobody, until the time is over', async () => {
    const ways: Record<string, (frame: ConsentPage) => Promise<unknown>> = {
      'a person who declined': async (frame) => {
        await frame.stepUp(ANA);
        expect((await frame.call('decline', { tell_tenant: false })).status).toBe(200);
      },
      'a stranger who declined': (frame) => frame.call('decline', { tell_tenant: false }),
      'a report': (frame) => frame.call('report', {}),
      'a person who looked on': (frame) => frame.stepUp(ANA),
      'one who ran out of codes': async (frame) => {
        await frame.call('otp/send', { identifier: NOBODY });
        for (let times = 0; times < 5; times += 1) await frame.call('otp/verify', { code: '000000' });
        await unlock();
      },
      'an unknown address': (frame) => frame.call('otp/send', { identifier: NOBODY }),
      nobody: () => Promise.resolve(),
    };
    const seen: { name: string; one: Awaited<ReturnType<typeof bank.framed>>; view: unknown }[] = [];
    for (const [name, act] of Object.entries(ways)) {
      const one = await bank.framed();
      await one.frame.state();
      await act(one.frame);
      seen.push({ name, one, view: await bank.view(one) });
    }
    expect(seen[0]?.view).toMatchObject({
      ...{ embed: 'opened', token: [200, 'opened', 'consent'], events: [] },
      request: { status: 'pending', credits_held: 32 },
    });
    for (const { name, view } of seen) expect(view, name).toEqual(seen[0]?.view);
    for (const { name, one } of seen) expect((await bank.embed(one.id)).status, name).toBe(201);

    for (const { one } of seen) await bank.asking.expire(one.id);
    const ended = await Promise.all(seen.map(({ one }) => bank.view(one)));
    expect(ended[0]).toMatchObject({ embed: 'expired', token: [404, undefined, undefined], events: [{}] });
    const plain = ended.map((view, at) => JSON.stringify(view).replaceAll(seen[at]?.one.id as string, ''));
    expect(new Set(plain).size).toBe(1);
    for (const { name, one } of seen) {
      expect((await bank.embed(one.id)).status, name).toBe(409);
      expect((await one.frame.state()).status, name).toBe(404);
    }
  });

  it('is a failure once a person who proved whose the wallet is let it know, or the tenant cancelled', async () => {
    const [told, cancelled] = [await bank.framed(), await bank.framed()];
    await told.frame.stepUp(ANA);
    expect((await told.frame.call('decline', { tell_tenant: true })).status).toBe(200);
    await bank.asking.cancel(cancelled.id);
    for (const one of [told, cancelled]) {
      expect(await bank.view(one)).toMatchObject({ embed: 'failed', token: [200, 'failed', null] });
      expect((await bank.embed(one.id)).status).toBe(409);
    }
  });
});

it('shows open requests of its own tenant alone, with a link that the tenant has', async () => {
  const [approved, foreign, other] = [await bank.framed(), await bank.asking.link(), await FramingTenant.create()];
  await approved.frame.approve(await approved.frame.stepUp(ANA));
  expect(await bank.embed(approved.id)).toMatchObject({ status: 409, body: { status_of_request: 'approved' } });
  const targets = [foreign.id, 'wpr_01jd3v4x5pfqk8a9s7b2m0c1de', 'fls_01jd3v4x5pfqk8a9s7b2m0c1de', 'wpr_x'];
  const answers = await Promise.all(targets.map((id) => other.embed(id)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text.replace(/"request_id":"[^"]+"/, ''))).size).toBe(1);
  const own = await bank.embedded();
  expect((await other.show(own.embedId)).status).toBe(404);
  const { body } = await bank.asking.discover(CÉDULA);
  const mailed = await bank.asking.request({ discovery_id: body.discovery_id, channel: 'registered_contact' });
  const refused = await bank.embed(mailed.body.id);
  expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, '/target_id']);
  const origins = await bank.embed(own.id, { allowed_origins: ['https://other.example'] });
  expect([origins.status, origins.body.errors?.[0]?.pointer]).toEqual([400, '/allowed_origins/0']);
  expect((await exchange(own, 'https://evil.example')).status).toBe(400);
  expect((await exchange(own)).status).toBe(200);
});

describe('its token', () => {
  it('when unknown, expired, revoked, of another kind, or of an erased person or one that is over, gets the same 404 on every route', async () => {
    const [expired, revoked, erased] = [await bank.framed(), await bank.framed(), await bank.framed()];
    await store.query('update identity.consent_embed_session set expires_at = now() where token_hash = $1', [
      hashSecret(expired.token),
    ]);
    const { apiKey: key } = bank.asking.tenant;
    const { status } = await wallets.platform.call(`/v1/embed/sessions/${revoked.embedId}`, { method: 'DELETE', key });
    expect([status, (await bank.show(revoked.embedId)).body.state]).toEqual([204, 'revoked']);
    await erased.frame.approve(await erased.frame.stepUp(ANA));
    const { subject_id } = (await bank.asking.show(erased.id)).body;
    await wallets.platform.call(`/v1/kyc/subjects/${subject_id}`, { method: 'DELETE', key });
    const over = await bank.framed();
    await bank.asking.expire(over.id);
    const unknown = `/v1/embed/sessions/${expired.token.slice(0, 30)}${'A'.repeat(23)}`;
    const ended = [unknown, expired.path, revoked.path, erased.path, over.path];
    await bank.flows.seed();
    const flow = pathIn((await createEmbed(bank.flows)).body.embed_url);
    const open = (await bank.embedded()).path;
    const nonce = 'A'.repeat(43);
    const routes: [paths: string[], route: string, body?: object][] = [
      [ended, '/state'],
      [ended, '/ui'],
      [ended, '/exchange', { parent_origin: SHOP }],
      [[...ended, flow], '/consent/state'],
      [[...ended, flow], '/consent/otp/send', { nonce, identifier: ANA }],
      [[...ended, flow], '/consent/decline', { nonce, tell_tenant: false }],
      [[...ended, open], '/capture/state'],
    ];
    for (const [paths, route, body] of routes) {
      const answers = await Promise.all(
        paths.map((path) => wallets.host.call(`${path}${route}`, { token: expired.access, ...(body && { body }) })),
      );
      const texts = answers.map(
        ({ status, text, headers }) => `${status} ${text.replaceAll(String(headers.get('x-request-id')), '')}`,
      );
      expect(new Set(texts).size, route).toBe(1);
      expect(texts[0], route).toMatch(/^404 .*nothing behind this link/);
      expect(answers[0]?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  it('takes 60 requests a minute, exactly', async () => {
    const { path } = await bank.embedded();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => wallets.host.call(`${path}/consent/state`).then(({ status }) => status)),
    );
    expect(answers.filter((status) => status === 401)).toHaveLength(60);
    expect(answers.filter((status) => status === 429)).toHaveLength(40);
  });
});

it('says nothing that the tenant wrote once the person is erased, and is deleted 30 days after it expired', async () => {
  const { body: asked } = await bank.asking.request(LINK);
  const { body: embed } = await bank.embed(asked.id, { external_ref: 'Ana Inventada', metadata: { mail: ANA } });
  const path = pathIn(embed.embed_url);
  const frame = ConsentPage.framed(wallets, { path, access: (await exchange({ path })).body.access_token });
  await frame.approve(await frame.stepUp(ANA));
  const { subject_id } = (await bank.asking.show(asked.id)).body;
  const { apiKey: key } = bank.asking.tenant;
  await wallets.platform.call(`/v1/kyc/subjects/${subject_id}`, { method: 'DELETE', key });
  expect((await bank.show(embed.id)).body).toMatchObject({ external_ref: null, metadata: {} });
  await store.query(`update identity.consent_embed_session set expires_at = now() - interval '30 days' where id = $1`, [
    uuidOf('ems', embed.id),
  ]);
  await wallets.platform.app.get(OldEmbedSessions, { strict: false }).run(new AbortController().signal);
  expect((await bank.show(embed.id)).status).toBe(404);
});
