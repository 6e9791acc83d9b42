import { hashSecret } from '@constancia/auth';
import { OldEmbedSessions } from '@constancia/embed-sessions';
import type { CaptureChallenge, CaptureClaim, CapturedPicture, CaptureState } from '@constancia/contracts';
import { uuidOf } from '@constancia/kernel';
import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHosted, PersonHost } from '../capture/capture.fixture.ts';
import {
  FlowCaller,
  type HarnessVerdict,
  runningIdentity,
  type RunningIdentity,
  WorkerHarness,
} from '../running-identity.fixture.ts';
import { createEmbed, pathIn, registerOrigins, SHOP } from './embed.fixture.ts';

let store: TestDatabase;
let platform: RunningIdentity;
let worker: WorkerHarness;
let person: PersonHost;
let jpeg: Buffer;
const verdict: HarnessVerdict = { outcome: 'pass' };

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store, {
    PERSON_URL: 'https://person.example/',
    SIGNING_URL: 'https://signing.example/',
    STEP_WAIT_MS: '20000',
  });
  worker = await WorkerHarness.start(store, platform.kms, () => verdict);
  person = await PersonHost.of(platform);
  jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#557' } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  await worker?.stop();
  await platform?.close();
  await store?.drop();
});

async function tenant(origins: string[] = [SHOP]): Promise<FlowCaller> {
  const flows = new FlowCaller(platform, await testTenant(store, { credits: 1_000 }), store);
  await flows.seed();
  await registerOrigins(flows, origins);
  return flows;
}

interface Opened {
  id: string;
  access_token: string;
  expires_at: string;
}

const exchange = (path: string, parent_origin = SHOP) =>
  platform.call<Opened>(`${path}/exchange`, { body: { parent_origin } });

/** An embed session that a frame has opened: where it calls, and with which token. */
async function opened(flows: FlowCaller, body: Record<string, unknown> = {}) {
  const { body: embed } = await createEmbed(flows, body);
  const path = pathIn(embed.embed_url);
  return { embed, path, token: (await exchange(path)).body.access_token };
}

interface Shown {
  state: string;
  parent_origin: string | null;
  target_id: string;
  external_ref: string | null;
  metadata: object;
}

const show = (flows: FlowCaller, id: string) =>
  platform.call<Shown>(`/v1/embed/sessions/${id}`, { key: flows.tenant.apiKey });
const revoke = (flows: FlowCaller, id: string) =>
  platform.call(`/v1/embed/sessions/${id}`, { method: 'DELETE', key: flows.tenant.apiKey });

describe('an embed session', () => {
  it('shows a flow session in a frame, from the first step on, with the access token of that frame', async () => {
    const flows = await tenant();
    const session = await flows.open();
    const created = await createEmbed(flows, {
      target_id: session.id,
      locale: 'en',
      theme: { color_scheme: 'dark' },
      external_ref: 'order-1',
      metadata: { cart: '7' },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^ems_/),
        state: 'created',
        target_id: session.id,
        external_ref: 'order-1',
        metadata: { cart: '7' },
        embed_url: expect.stringMatching(/^https:\/\/person\.example\/v1\/embed\/sessions\/emt_[0-9A-Za-z]{49}\/ui$/),
      },
    });
    const path = pathIn(created.body.embed_url);
    const first = await platform.call(`${path}/state`);
    expect(first.body).toMatchObject({
      kind: 'flow',
      state: 'created',
      step: 'consent',
      theme: { color_scheme: 'dark' },
    });
    const { status, body: access } = await exchange(path);
    expect([status, access.id]).toEqual([200, created.body.id]);
    const token = access.access_token;
    const state = await person.call(`${path}/capture/state`, { token });
    expect(state.body).toMatchObject({ step: 'consent', device: 'active', locale: 'en', return_url: null });
    expect((await show(flows, created.body.id)).body).toMatchObject({ state: 'opened', parent_origin: SHOP });

    const { version } = state.body.consent as { version: string };
    const advance = (input: object) => person.call(`${path}/capture/advance`, { token, body: { input } });
    expect((await advance({ accepted: true, locale: 'en', version })).body).toMatchObject({ step: 'document_upload' });
    expect((await show(flows, created.body.id)).body.state).toBe('in_progress');
    const send = async (kind: string) =>
      (await person.call<CapturedPicture>(`${path}/capture/pictures?kind=${kind}`, { token, body: jpeg })).body
        .stored_uri;
    const documents = { doc_front_uri: await send('doc_front'), doc_back_uri: await send('doc_back') };
    expect((await advance(documents)).body).toMatchObject({ step: 'face_match' });
    const challenge = await person.call<CaptureChallenge>(`${path}/capture/challenge`, { token, body: {} });
    expect(challenge.body).toMatchObject({ kind: 'passive' });
    expect(state.headers.get('set-cookie')).toBeNull();
  });

  it('says of every other kind where it is, or which ones exist', async () => {
    const flows = await tenant();
    const answers: [kind: string, detail: string][] = [
      ['sign', 'https://signing.example/v1/embed/sessions; here those of kind flow and wallet_consent.'],
      ['flow ', 'kinds that exist: flow, sign, wallet_consent.'],
    ];
    for (const [kind, detail] of answers) {
      const { status, body } = await createEmbed(flows, { kind });
      expect([kind, status, body.errors]).toEqual([
        kind,
        400,
        [expect.objectContaining({ pointer: '/kind', detail: expect.stringContaining(detail) })],
      ]);
    }
  });

  it('is refused for origins that are not registered, and for what is wrong with its times, colours and session', async () => {
    const flows = await tenant();
    const bodies: [object, string][] = [
      [{ allowed_origins: [SHOP, 'https://other.example'] }, '/allowed_origins/1'],
      [{ allowed_origins: [] }, '/allowed_origins'],
      [{ allowed_origins: ['https://*.example'] }, '/allowed_origins/0'],
      [{ ttl_s: 299 }, '/ttl_s'],
      [{ ttl_s: 3_601 }, '/ttl_s'],
      [{ theme: { color_scheme: 'red;}' } }, '/theme/color_scheme'],
      [{ theme: { css: 'x' } }, '/theme/css'],
      [{ locale: 'fr' }, '/locale'],
    ];
    for (const [body, pointer] of bodies) {
      const answer = await createEmbed(flows, body as Record<string, unknown>);
      expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
    }
    const over = await flows.open();
    await store.query(
      `update identity.flow_session set status = 'completed', current_step = null, completed_at = now()
                        where tenant_id = $1`,
      [flows.tenant.id],
    );
    expect((await createEmbed(flows, { target_id: over.id })).status).toBe(409);
  });

  it('of another tenant, or of its flow session, is unknown: the same 404 as for one that nobody has', async () => {
    const [flows, other] = [await tenant(), await tenant()];
    const { body: foreign } = await createEmbed(other);
    const nobody = 'ems_01jd3v4x5pfqk8a9s7b2m0c1de';
    for (const call of [show, revoke]) {
      const [a, b] = [await call(flows, foreign.id), await call(flows, nobody)];
      expect(a.status).toBe(404);
      expect(a.text.length - foreign.id.length).toBe(b.text.length - nobody.length);
    }
    const session = await other.open();
    const targets = [session.id, 'fls_01jd3v4x5pfqk8a9s7b2m0c1de', 'fls_x'];
    const answers = await Promise.all(targets.map((target_id) => createEmbed(flows, { target_id })));
    const texts = answers.map(({ text }) => text.replace(/"request_id":"[^"]+"/, ''));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
    expect(answers[0]?.body.errors?.[0]?.pointer).toBe('/target_id');
    expect((await show(other, foreign.id)).body.state).toBe('created');
  });
});

describe('the exchange', () => {
  it('gives the session to one of 16 frames at once', async () => {
    const { body: embed } = await createEmbed(await tenant());
    const answers = await Promise.all(Array.from({ length: 16 }, () => exchange(pathIn(embed.embed_url))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = answers.filter(({ status }) => status === 409);
    expect(others).toHaveLength(15);
    expect(others[0]?.body).toMatchObject({ type: expect.stringContaining('/problems/state-conflict') });
  });

  it('is refused to a page of another origin, and then still possible', async () => {
    const { body: embed } = await createEmbed(await tenant());
    const path = pathIn(embed.embed_url);
    for (const origin of [
      'https://evil.example',
      'https://shop.example.evil.example',
      'null',
      'https://shop.example:444',
    ]) {
      expect((await exchange(path, origin)).status, origin).toBe(400);
    }
    expect((await exchange(path)).status).toBe(200);
  });

  it('takes the session from the device that had it, which may take it back', async () => {
    const flows = await tenant();
    const { session, token: phone } = await openHosted(flows);
    const { path, token } = await opened(flows, { target_id: session.id });
    expect((await person.call('/capture/state', { token: phone })).body.device).toBe('waiting');
    await person.call<CaptureClaim>('/capture/claim', { token: phone, body: {} });
    expect((await person.call(`${path}/capture/state`, { token })).body.device).toBe('waiting');
    expect((await person.call(`${path}/capture/advance`, { token, body: { input: {} } })).status).toBe(409);
    const back = await person.call<CaptureClaim>(`${path}/capture/claim`, { token, body: {} });
    expect(back.body).toMatchObject({ token: null, state: { device: 'active' } });
  });
});

describe('while an erasure holds the flow session', () => {
  /** Holds a hosted flow session as an erasure does, until a request waits for it; then ends it, with what its embed sessions say. */
  async function erasedUnder<Found>(id: string, request: () => Promise<Found>): Promise<Found> {
    const erasure = new pg.Client({ connectionString: store.adminUrl });
    await erasure.connect();
    try {
      const session = [uuidOf('fls', id)];
      await erasure.query('begin');
      await erasure.query('select 1 from identity.flow_session where id = $1 for update', session);
      const waiting = request();
      await eventually(async () => {
        const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect(await store.query(sql)).toHaveLength(1);
      });
      await erasure.query(
        `update identity.flow_session set status = 'failed', rejection_reason = 'erased', current_step = null,
           completed_at = now(), forgotten_at = now() where id = $1`,
        session,
      );
      await erasure.query('update identity.embed_session set external_ref = null where target_id = $1', session);
      await erasure.query('commit');
      return await waiting;
    } finally {
      await erasure.end();
    }
  }

  it('a frame that opens an embed session waits for it, and neither ends the other', async () => {
    const flows = await tenant();
    const session = await flows.open({ hosted: true });
    const { body: embed } = await createEmbed(flows, { target_id: session.id });
    const path = pathIn(embed.embed_url);
    expect((await erasedUnder(session.id, () => exchange(path))).status).toBe(200);
    expect((await platform.call(`${path}/state`)).status).toBe(404);
  });

  it('no embed session is created that keeps what the tenant wrote to it', async () => {
    const flows = await tenant();
    const session = await flows.open({ hosted: true });
    const body = { target_id: session.id, external_ref: 'Ana Inventada' };
    expect((await erasedUnder(session.id, () => createEmbed(flows, body))).status).toBe(409);
  });
});

describe('an embed token', () => {
  it('that is unknown, expired, revoked or of an erased subject gets the same 404 on every route', async () => {
    const flows = await tenant();
    const written = { external_ref: 'Ana Inventada', metadata: { mail: 'ana@example.com' } };
    const [expired, revoked, erased] = [await opened(flows), await opened(flows), await opened(flows, written)];
    await store.query('update identity.embed_session set expires_at = now() where token_hash = $1', [
      hashSecret(expired.embed.token),
    ]);
    await revoke(flows, revoked.embed.id);
    const { body: before } = await show(flows, erased.embed.id);
    expect(before).toMatchObject(written);
    const { subject_id } = await flows.show({ id: before.target_id });
    await platform.call(`/v1/kyc/subjects/${subject_id}`, { method: 'DELETE', key: flows.tenant.apiKey });
    expect((await show(flows, erased.embed.id)).body).toMatchObject({ external_ref: null, metadata: {} });
    const unknown = `/v1/embed/sessions/${expired.embed.token.slice(0, 30)}${'A'.repeat(23)}`;
    const paths = [unknown, expired.path, revoked.path, erased.path];
    const routes: { path: string; body?: object | Buffer }[] = [
      { path: '/state' },
      { path: '/ui' },
      { path: '/exchange', body: { parent_origin: SHOP } },
      { path: '/capture/state' },
      { path: '/capture/advance', body: { input: {} } },
      { path: '/capture/pictures?kind=selfie', body: jpeg },
    ];
    for (const { path: route, body } of routes) {
      const answers = await Promise.all(
        paths.map((path) => person.call(`${path}${route}`, { token: expired.token, ...(body && { body }) })),
      );
      const texts = answers.map(
        ({ status, text, headers }) => `${status} ${text.replaceAll(String(headers.get('x-request-id')), '')}`,
      );
      expect(new Set(texts).size, route).toBe(1);
      expect(new Set(answers.map(({ headers }) => headers.get('content-length'))).size, route).toBe(1);
      expect(texts[0]).toMatch(/^404 .*nothing behind this link/);
      expect(texts[0]).not.toContain('emt_');
      expect(answers[0]?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  it('reaches nothing of the flow without the access token of its frame, which ends after ten minutes without use', async () => {
    const flows = await tenant();
    const [own, other] = [await opened(flows), await opened(flows)];
    const call = (token?: string) => person.call<CaptureState>(`${own.path}/capture/state`, { token });
    for (const token of [undefined, other.token, own.embed.token, `ema_${'x'.repeat(49)}`]) {
      expect((await call(token)).status).toBe(401);
    }
    expect((await call(own.token)).status).toBe(200);
    const hash = hashSecret(own.embed.token);
    await store.query(
      `update identity.embed_session set access_used_at = now() - interval '9 minutes 50 s'
                        where token_hash = $1`,
      [hash],
    );
    expect((await call(own.token)).status).toBe(200); // and moves its end on
    await store.query(
      `update identity.embed_session set access_used_at = access_used_at - interval '5 minutes'
                        where token_hash = $1`,
      [hash],
    );
    expect((await call(own.token)).status).toBe(200);
    await store.query(
      `update identity.embed_session set access_used_at = now() - interval '10 minutes 1 s'
                        where token_hash = $1`,
      [hash],
    );
    expect((await call(own.token)).status).toBe(401);
  });

  it('counts only on a page of the host itself, and on no API host', async () => {
    const { path, token } = await opened(await tenant());
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site };
      expect((await person.call(`${path}/capture/claim`, { token, body: {}, headers })).status, site).toBe(403);
    }
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${platform.url}${path}/capture/state`, { headers })).status).toBe(404);
  });

  it('takes 60 requests a minute, exactly, of 1,000 at once', async () => {
    const { body: embed } = await createEmbed(await tenant());
    const path = `${pathIn(embed.embed_url)}/state`;
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => platform.call(path)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(940);
    expect(refused[0]?.headers.get('x-ratelimit-limit')).toBe('60');
  });
});

it('a revocation is recorded once, of 8 at once too, and ends the frame at once', async () => {
  const flows = await tenant();
  const { embed, path, token } = await opened(flows);
  const answers = await Promise.all(Array.from({ length: 8 }, () => revoke(flows, embed.id)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  expect((await person.call(`${path}/capture/state`, { token })).status).toBe(404);
  expect((await show(flows, embed.id)).body.state).toBe('revoked');
  const { body } = await platform.call<{ data: object[] }>('/v1/audit-log?action=embed_session.revoked', {
    key: flows.tenant.apiKey,
  });
  expect(body.data).toEqual([expect.objectContaining({ object: { kind: 'embed_session', id: embed.id } })]);
});

it('is deleted 30 days after it expired', async () => {
  const flows = await tenant();
  const [kept, old] = [(await createEmbed(flows)).body, (await createEmbed(flows)).body];
  for (const [{ id }, days] of [[kept, 29] as const, [old, 30] as const]) {
    await store.query(
      `update identity.embed_session set expires_at = now() - make_interval(days => $2) where id = $1`,
      [uuidOf('ems', id), days],
    );
  }
  await platform.app.get(OldEmbedSessions, { strict: false }).run(new AbortController().signal);
  expect((await show(flows, kept.id)).body.state).toBe('expired');
  expect((await show(flows, old.id)).status).toBe(404);
});
