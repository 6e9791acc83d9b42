import type { CaptureChallenge, CaptureClaim, CapturedPicture, CaptureHandover } from '@constancia/contracts';
import { eventually, testBrand, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { uuidOf } from '@constancia/kernel';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  FlowCaller,
  type HarnessVerdict,
  runningIdentity,
  type RunningIdentity,
  WorkerHarness,
} from '../running-identity.fixture.ts';
import { openHosted, PersonHost, tokenIn } from './capture.fixture.ts';

let store: TestDatabase;
let platform: RunningIdentity;
let worker: WorkerHarness;
let person: PersonHost;
let jpeg: Buffer;
let verdict: HarnessVerdict = { outcome: 'pass' };
const inputs: Record<string, unknown>[] = [];

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store, { PERSON_URL: 'https://person.example/', STEP_WAIT_MS: '20000' });
  worker = await WorkerHarness.start(store, platform.kms, ({ input }) => {
    inputs.push(input);
    return verdict;
  });
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

async function tenantWithFlow(): Promise<FlowCaller> {
  const flows = new FlowCaller(platform, await testTenant(store, { credits: 1_000 }), store);
  await flows.seed();
  return flows;
}

const send = async (token: string, kind: string) => {
  const { status, body } = await person.call<CapturedPicture>(`/capture/pictures?kind=${kind}`, { token, body: jpeg });
  expect([status, body.stored_uri]).toEqual([201, expect.stringMatching(/^asset:\/\/ast_/)]);
  return body.stored_uri;
};
const state = (token: string) => person.call('/capture/state', { token });
const advance = (token: string, input: object, headers: Record<string, string> = {}) =>
  person.call('/capture/advance', { token, body: { input }, headers });

const consent = async (token: string) => {
  const { version } = (await state(token)).body.consent as { version: string };
  return advance(token, { accepted: true, locale: 'es-CO', version });
};
const documents = async (token: string) =>
  advance(token, { doc_front_uri: await send(token, 'doc_front'), doc_back_uri: await send(token, 'doc_back') });
const frames = (token: string) => Promise.all([1, 2, 3].map(() => send(token, 'frame')));
const challenge = (token: string) => person.call<CaptureChallenge>('/capture/challenge', { token, body: {} });

describe('a hosted session', () => {
  it('is taken on the page from consent to the end, with its own token, and says no more than that', async () => {
    verdict = { outcome: 'pass' };
    const flows = await tenantWithFlow();
    const { session, token } = await openHosted(flows, { locale: 'en' });
    expect(session.capture_url).toMatch(/^https:\/\/person\.example\/capture#cpt_[0-9A-Za-z]{49}$/);
    expect((await state(token)).body).toMatchObject({
      status: 'in_progress',
      step: 'consent',
      consent: { locale: 'en', text: expect.stringContaining('authorisation') },
      tenant: { display_name: expect.any(String), color: null, logo: null },
      device: 'active',
      result: null,
      return_url: null,
      handovers_left: 5,
    });
    expect((await consent(token)).body).toMatchObject({
      step: 'document_upload',
      attempts_left: 3,
      document: { document_type: 'CC', sides: ['front', 'back'], file_allowed: true },
    });
    expect((await documents(token)).body).toMatchObject({
      step: 'face_match',
      selfie: { liveness_mode: 'basic', file_allowed: false, frames: { least: 3, most: 5, within_ms: 2000 } },
    });
    const { body: issued } = await challenge(token);
    expect(issued).toMatchObject({ kind: 'passive', nonce: expect.stringMatching(/^lch_/) });
    const nonce = (issued as { nonce: string }).nonce;
    const face = { selfie_uri: await send(token, 'selfie'), frames: await frames(token), nonce };
    expect((await advance(token, face)).body).toMatchObject({ step: 'sarlaft' });
    expect(inputs.at(-1)).toMatchObject({
      liveness_mode: 'basic',
      passive: { id: nonce, frames: [{ asset: expect.any(String), received_at: expect.any(String) }, {}, {}] },
    });
    const shown = await state(token);
    expect(shown.text).not.toMatch(/score|fields|PEÑA|1098765432|fls_|sub_/);
    expect((await flows.show(session)).context.document_upload).toHaveProperty('fields');
  });

  it('shows the colour of the tenant, and its logo on the host of the page and that of the API', async () => {
    const flows = await tenantWithFlow();
    const { shown, bytes } = await testBrand(store, flows.tenant.id);
    const { token } = await openHosted(flows);
    expect((await state(token)).body.tenant).toEqual({ display_name: `Tenant ${flows.tenant.slug}`, ...shown });
    for (const host of [person.url, platform.url]) {
      const logo = await fetch(host + shown.logo.path);
      expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(Buffer.from(await logo.arrayBuffer())).toEqual(bytes);
    }
  });

  it('says why to take a picture again, and of a rejection only that the person was not verified', async () => {
    const flows = await tenantWithFlow();
    const { token } = await openHosted(flows);
    await consent(token);
    verdict = { outcome: 'retry', reason: 'blurred' };
    const again = await documents(token);
    expect([again.status, again.body]).toEqual([
      200,
      expect.objectContaining({ step: 'document_upload', attempts_left: 2, retry_reason: 'blurred' }),
    ]);
    verdict = { outcome: 'reject', reason: 'document_mismatch' };
    const over = await documents(token);
    expect(over.body).toMatchObject({ status: 'failed', step: null, result: 'not_verified', retry_reason: null });
    expect(over.text).not.toMatch(/mismatch|rejection/);
    verdict = { outcome: 'pass' };
    expect((await advance(token, {})).status).toBe(409);
  });

  it('repeats a step safely after a lost connection', async () => {
    verdict = { outcome: 'pass' };
    const flows = await tenantWithFlow();
    const { session, token } = await openHosted(flows);
    const { version } = (await state(token)).body.consent as { version: string };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const input = { accepted: true, locale: 'es-CO', version };
    for (let call = 0; call < 3; call += 1) {
      expect((await advance(token, input, headers)).body).toMatchObject({ step: 'document_upload' });
    }
    const consents = 'select 1 from identity.consent_evidence e join identity.flow_session s on s.id = e.session_id';
    expect(await store.query(`${consents} where s.tenant_id = $1`, [flows.tenant.id])).toHaveLength(1);
    expect((await advance(token, { other: 1 }, headers)).status).toBe(422);
    expect((await flows.show(session)).current_step).toBe('document_upload');
  });

  it('leads only to an origin that the tenant registered, and keeps the address as it was given', async () => {
    const flows = await tenantWithFlow();
    const open = (body: object) =>
      platform.call('/v1/flows/sessions', {
        key: flows.tenant.apiKey,
        body: { document_type: 'CC', document_number: '1098765432', country: 'CO', ...body },
      });
    const return_url = 'https://app.example.com/done?of=flow';
    expect(await open({ hosted: true, return_url })).toMatchObject({ status: 400 });
    await platform.call('/v1/billing/return-origins', {
      method: 'PUT',
      key: flows.tenant.apiKey,
      body: { origins: ['https://app.example.com'] },
    });
    const refused = [
      'https://app.example.com.evil.example/done',
      'https://app.example.com:444/done',
      'https://evil.example/https://app.example.com',
      'http://app.example.com/done',
    ];
    for (const url of refused) expect((await open({ hosted: true, return_url: url })).status, url).toBe(400);
    expect(await open({ return_url })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/return_url' }] } });
    const { token } = await openHosted(flows, { return_url });
    expect((await state(token)).body.return_url).toBe(return_url);
  });
});

describe('a token of the capture page', () => {
  it('that is unknown, expired, ended or of an erased subject gets the same 404 on every route', async () => {
    const flows = await tenantWithFlow();
    const expired = await openHosted(flows, { document_number: '1098765433' });
    await store.query(
      `update identity.capture_token t set expires_at = now() from identity.flow_session s
        where s.id = t.session_id and s.tenant_id = $1`,
      [flows.tenant.id],
    );
    const ended = await openHosted(flows, { document_number: '1098765434' });
    const handover = await person.call<CaptureHandover>('/capture/handover', { token: ended.token, body: {} });
    await person.call('/capture/handover', { token: ended.token, body: {} });
    const erased = await openHosted(flows, { document_number: '1098765435' });
    await platform.call(`/v1/kyc/subjects/${erased.session.subject_id}`, {
      method: 'DELETE',
      key: flows.tenant.apiKey,
    });
    const unknown = `${expired.token.slice(0, 10)}${'A'.repeat(43)}`;
    const tokens = [
      unknown,
      `cpt_${'x'.repeat(49)}`,
      expired.token,
      tokenIn(handover.body.url),
      erased.token,
      undefined,
    ];
    const routes = [
      { path: '/capture/state' },
      { path: '/capture/claim', body: {} },
      { path: '/capture/pictures?kind=selfie', body: jpeg },
      { path: '/capture/advance', body: { input: {} } },
      { path: '/capture/challenge', body: {} },
      { path: '/capture/handover', body: {} },
    ];
    for (const { path, body } of routes) {
      const answers = await Promise.all(tokens.map((token) => person.call(path, { token, ...(body && { body }) })));
      const texts = answers.map(
        ({ status, text, headers }) => `${status} ${text.replaceAll(String(headers.get('x-request-id')), '')}`,
      );
      expect(new Set(texts).size, path).toBe(1);
      expect(texts[0]).toMatch(/^404 .*nothing behind this link/);
    }
  });

  it('reaches nothing on the API host, and nothing but its own session', async () => {
    const [a, b] = await Promise.all([tenantWithFlow(), tenantWithFlow()]);
    const { session, token } = await openHosted(a);
    const other = await openHosted(b);
    const bearer = { authorization: `Bearer ${token}` };
    for (const id of [session.id, other.session.id]) {
      expect((await platform.call(`/v1/flows/sessions/${id}`, { headers: bearer })).status).toBe(401);
    }
    expect((await fetch(`${platform.url}/capture/state`, { headers: bearer })).status).toBe(404);
    await consent(token);
    const uri = await b.asset(other.session, 'doc_front');
    const foreign = await advance(token, { doc_front_uri: uri, doc_back_uri: uri });
    expect([foreign.status, foreign.body.errors]).toEqual([
      404,
      [expect.objectContaining({ pointer: '/input/doc_front_uri' })],
    ]);
  });

  it('counts only on a page of the host itself', async () => {
    const { token } = await openHosted(await tenantWithFlow());
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site };
      expect((await person.call('/capture/claim', { token, body: {}, headers })).status, site).toBe(403);
    }
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const answer = await person.call('/capture/state', { token, headers: foreign });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('takes 120 requests a minute, exactly, whatever their number and addresses', async () => {
    const { token } = await openHosted(await tenantWithFlow());
    const answers = await Promise.all(Array.from({ length: 200 }, () => state(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(80);
  });
});

describe('a handover', () => {
  it('is opened by one of 16 devices, which then has the session until the other takes it back', async () => {
    const { session, token: desktop } = await openHosted(await tenantWithFlow());
    const { status, body } = await person.call<CaptureHandover>('/capture/handover', { token: desktop, body: {} });
    expect([status, body.url]).toEqual([201, expect.stringMatching(/^https:\/\/person\.example\/capture#cpt_/)]);
    const link = tokenIn(body.url);
    expect((await state(link)).body).toMatchObject({ device: 'unopened' });
    expect((await advance(link, {})).status).toBe(409);
    const claims = await Promise.all(
      Array.from({ length: 16 }, () => person.call<CaptureClaim>('/capture/claim', { token: link, body: {} })),
    );
    const opened = claims.filter(({ status }) => status === 200);
    expect(opened).toHaveLength(1);
    expect(claims.filter(({ status }) => status === 404)).toHaveLength(15);
    const phone = opened[0]?.body.token as string;
    expect(opened[0]?.body.state).toMatchObject({ device: 'active', step: 'consent' });
    expect((await state(desktop)).body).toMatchObject({ device: 'waiting', step: 'consent' });
    expect((await consent(desktop)).status).toBe(409);
    expect((await consent(phone)).body).toMatchObject({ step: 'document_upload', device: 'active' });
    expect((await state(desktop)).body).toMatchObject({ device: 'waiting', step: 'document_upload' });

    const back = await person.call<CaptureClaim>('/capture/claim', { token: desktop, body: {} });
    expect(back.body).toMatchObject({ token: null, state: { device: 'active' } });
    expect((await state(phone)).body.device).toBe('waiting');
    const trail = await store.query<{ type: string }>(
      `select type from identity.session_event e join identity.flow_session s on s.id = e.session_id
        where s.tenant_id = $1 and type in ('handed_over', 'device_changed')`,
      [(await tenantOf(session.id)) as string],
    );
    expect(trail.map(({ type }) => type).sort()).toEqual(['device_changed', 'device_changed', 'handed_over']);
  });

  it('is possible five times, however many ask at once', async () => {
    const { token } = await openHosted(await tenantWithFlow());
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => person.call('/capture/handover', { token, body: {} })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
    expect((await state(token)).body.handovers_left).toBe(0);
  });
});

describe('the nonce of frames', () => {
  it('is good for one of 16 attempts at once, and for frames that were sent after it', async () => {
    verdict = { outcome: 'pass' };
    const { token } = await openHosted(await tenantWithFlow());
    await consent(token);
    await documents(token);
    const before = await frames(token);
    const nonceOf = async () => ((await challenge(token)).body as { nonce: string }).nonce;
    const nonce = await nonceOf();
    const selfie_uri = await send(token, 'selfie');
    expect(await advance(token, { selfie_uri, frames: before, nonce })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/input/frames/0' }] },
    });
    expect(await advance(token, { selfie_uri, frames: before })).toMatchObject({ status: 400 });
    const shots = await Promise.all(Array.from({ length: 6 }, () => send(token, 'frame')));
    const triples = shots.flatMap((a, i) =>
      shots.slice(i + 1).flatMap((b, j) => shots.slice(i + j + 2).map((c) => [a, b, c])),
    );
    const answers = await Promise.all(
      triples.slice(0, 16).map((three) => advance(token, { selfie_uri, frames: three, nonce })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await eventually(async () => expect((await state(token)).body.step).toBe('sarlaft'), 20_000);
  });
});

async function tenantOf(session: string): Promise<string | undefined> {
  const rows = await store.query<{ tenant_id: string }>('select tenant_id from identity.flow_session where id = $1', [
    uuidOf('fls', session),
  ]);
  return rows[0]?.tenant_id;
}
