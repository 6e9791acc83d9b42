import { hashSecret } from '@constancia/auth';
import { OldEmbedSessions } from '@constancia/embed-sessions';
import { listenForPages } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { ANSWERS, definitionOf, type SentEnvelope, Signing } from '../sign/sign.fixture.ts';
import {
  type CreatedEmbed,
  createEmbed,
  FramedSigner,
  pathIn,
  registerOrigins,
  SHOP,
} from './framed-signer.fixture.ts';

let database: TestDatabase;
let running: RunningSigning;
let tenant: TestTenant;
let signing: Signing;
let pages: string;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
  pages = `http://127.0.0.1:${await listenForPages(running.app)}`;
});
beforeEach(async () => {
  tenant = await testTenant(database, { credits: 10_000 });
  signing = new Signing(running, database, tenant.apiKey);
  await registerOrigins(database, tenant.id);
});
afterAll(async () => {
  await running?.close();
  await database?.drop();
});

interface Embedded {
  sent: SentEnvelope;
  /** Of the mailed link. */
  link: string;
  embed: CreatedEmbed;
  frame: FramedSigner;
}

/** An envelope with an embed session of one of its signers. */
async function embedded(
  body: Record<string, unknown> = {},
  { sent, at = 0 }: { sent?: SentEnvelope; at?: number } = {},
): Promise<Embedded> {
  const envelope = sent ?? (await signing.envelope(await signing.circuit()));
  const signer = envelope.signers[at];
  if (!signer) throw new Error('no such signer');
  const answer = await createEmbed(running, tenant.apiKey, { target_id: signer.id, ...body });
  expect(answer.status, answer.bytes.toString()).toBe(201);
  const frame = new FramedSigner(pages, pathIn(answer.body.embed_url));
  return { sent: envelope, link: signer.sign_token, embed: answer.body, frame };
}

/** The same, opened by a frame. */
async function opened(...given: Parameters<typeof embedded>): Promise<Embedded> {
  const found = await embedded(...given);
  expect((await found.frame.exchange()).status).toBe(200);
  return found;
}

const show = (id: string, key = tenant.apiKey) =>
  running.call<CreatedEmbed & Problem>(`/v1/embed/sessions/${id}`, { key });
const revoke = (id: string, key = tenant.apiKey) => running.call(`/v1/embed/sessions/${id}`, { method: 'DELETE', key });

async function consent(frame: FramedSigner): Promise<void> {
  const { body: state } = await frame.signer('GET', '');
  const { locale, version } = state.consent;
  expect((await frame.signer('POST', '/consent', { accepted: true, locale, version })).status).toBe(200);
}

async function authenticate(frame: FramedSigner, link: string): Promise<void> {
  expect((await frame.signer('POST', '/otp/send', {})).status).toBe(202);
  const code = await signing.mailedCode(link);
  expect((await frame.signer('POST', '/otp/verify', { code })).status).toBe(200);
}

describe('an embed session of a signer', () => {
  it('goes from the consent to the signature in a frame without cookies, and the trail names the page that held it', async () => {
    const { sent, link, embed, frame } = await embedded({ locale: 'en', external_ref: 'loan-1' });
    expect(embed).toMatchObject({
      kind: 'sign',
      state: 'created',
      target_id: sent.signers[0]?.id,
      external_ref: 'loan-1',
      embed_url: expect.stringMatching(/^http:\/\/sign\.test\/v1\/embed\/sessions\/emt_[0-9A-Za-z]{49}\/ui$/),
    });
    expect((await frame.call('GET', '/state')).body).toMatchObject({
      ...{ kind: 'sign', state: 'created', step: 'consent', locale: 'en' },
    });
    expect((await frame.exchange()).body.id).toBe(embed.id);
    expect((await show(embed.id)).body).toMatchObject({ state: 'opened', parent_origin: SHOP });
    await consent(frame);
    expect((await show(embed.id)).body.state).toBe('in_progress');
    expect((await frame.call('GET', '/state')).body).toMatchObject({ state: 'in_progress', step: 'otp' });
    await authenticate(frame, link);
    expect((await signing.state(link)).next).toBe('otp'); // the link has no proof: that of the frame is the frame's
    const document = await frame.signer('GET', '/document');
    expect([document.status, document.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await frame.signer('PUT', '/draft', { fields: {} })).status).toBe(204);
    const signed = await frame.signer('POST', '/sign', { ...ANSWERS, fields: {} });
    expect([signed.status, signed.body.next]).toEqual([200, 'done']);
    expect((await show(embed.id)).body.state).toBe('completed');
    expect(frame.cookies).toEqual([]);

    const trail = (await signing.trail(sent.id)).filter(
      ({ type }) => type.startsWith('signer.') && type !== 'signer.notified',
    );
    expect(trail.map(({ type, data }) => [type, data.frame_origin])).toEqual(
      [
        'signer.link_opened',
        'signer.consented',
        'signer.otp_sent',
        'signer.authenticated',
        'signer.document_shown',
        'signer.signed',
      ].map((type) => [type, SHOP]),
    );
    expect((await signing.state(link)).signer.status).toBe('signed'); // the link goes on working
    expect((await createEmbed(running, tenant.apiKey, { target_id: embed.target_id })).status).toBe(409);
  }, 90_000);

  it('is declined in a frame, which the trail names', async () => {
    const { sent, link, frame } = await opened();
    await consent(frame);
    await authenticate(frame, link);
    expect((await frame.signer('POST', '/decline', { reason: 'not agreed' })).status).toBe(200);
    const declined = (await signing.trail(sent.id)).find(({ type }) => type === 'signer.declined');
    expect(declined?.data.frame_origin).toBe(SHOP);
  });

  it('forgets what the tenant wrote to it when its signer is erased, although the document has to wait for its seal', async () => {
    const written = { external_ref: 'Ana Inventada', metadata: { mail: 'ana@example.com' } };
    const { sent, embed } = await embedded(written);
    await database.query(`update signing.envelope set status = 'sealing' where id = $1`, [uuidOf('env', sent.id)]);
    const email = sent.signers[0]?.email;
    expect((await signing.asTenant('POST', '/v1/erasures', { subject_ref: 'nobody', email })).status).toBeLessThan(300);
    expect((await show(embed.id)).body).toMatchObject({ external_ref: null, metadata: {} });
  });

  it('of a signer whose turn has not come waits, as the page of the link does', async () => {
    const roles = definitionOf([{ role: 'a' }, { role: 'b', order: 2 }]);
    const sent = await signing.envelope(await signing.circuit(roles), [{ role: 'a' }, { role: 'b' }]);
    const { frame, embed } = await opened({}, { sent, at: 1 });
    expect((await frame.signer('GET', '')).body.next).toBe('wait');
    expect((await frame.call('GET', '/state')).body).toMatchObject({ state: 'opened', step: 'wait' });
    expect((await frame.signer('GET', '/document')).status).toBe(409);
    await signing.signed(sent.signers[0]?.sign_token as string);
    expect((await frame.signer('GET', '')).body.next).toBe('consent');
    await revoke(embed.id);
    expect((await signing.state(sent.signers[1]?.sign_token as string)).next).toBe('consent');
    expect((await signing.trail(sent.id)).map(({ type }) => type)).not.toContain('signer.token_rotated');
  });

  it('proves an identity with what the frame holds in memory', async () => {
    const circuit = await signing.circuit(definitionOf([{ role: 'a', auth: ['identity'] }]));
    const sent = await signing.envelope(circuit, [{ role: 'a', name: 'Ana María Ñungo' }]);
    const { frame } = await opened({}, { sent });
    await consent(frame);
    expect((await frame.signer('GET', '/identity')).status).toBe(404);
    const document = { document_type: 'CC', document_number: '1098765432', country: 'CO' };
    expect((await frame.signer('POST', '/identity', document)).status).toBe(202);
    expect((await frame.signer<{ status: string }>('GET', '/identity')).body.status).toBe('requested');
    expect(frame.cookies).toEqual([]);
  });

  it('is refused for a kind of another host, origins that are not registered, and signers with nothing to sign', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const target_id = sent.signers[0]?.id;
    const bodies: [body: object, pointer: string, detail: string][] = [
      [{ kind: 'flow' }, '/kind', 'http://platform.test/v1/embed/sessions; here those of kind sign.'],
      [
        { kind: 'wallet_consent' },
        '/kind',
        'kind wallet_consent at http://platform.test/v1/embed/sessions; here those of kind sign.',
      ],
      [{ allowed_origins: ['https://other.example'] }, '/allowed_origins/0', 'PUT /tenants/{id}/embed-origins'],
    ];
    for (const [body, pointer, detail] of bodies) {
      const answer = await createEmbed(running, tenant.apiKey, { target_id, ...body });
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [expect.objectContaining({ pointer, detail: expect.stringContaining(detail) })],
      ]);
    }
    await signing.state(sent.signers[0]?.sign_token as string);
    await signing.post(sent.signers[0]?.sign_token as string, 'not-me');
    const stopped = await createEmbed(running, tenant.apiKey, { target_id });
    expect([stopped.status, stopped.body.detail]).toEqual([409, expect.stringContaining('rotate-token')]);
    const late = await signing.envelope(await signing.circuit());
    await signing.expire(late.id);
    expect((await createEmbed(running, tenant.apiKey, { target_id: late.signers[0]?.id })).status).toBe(409);
  });

  it('of another tenant, or of its signer, is unknown: the same 404 as for one that nobody has', async () => {
    const { sent, embed } = await embedded();
    const other = await testTenant(database);
    await registerOrigins(database, other.id);
    const targets = [sent.signers[0]?.id, 'sgn_01jd3v4x5pfqk8a9s7b2m0c1de', 'sgn_x', 'fls_01jd3v4x5pfqk8a9s7b2m0c1de'];
    const answers = await Promise.all(targets.map((target_id) => createEmbed(running, other.apiKey, { target_id })));
    const texts = answers.map(({ bytes }) => bytes.toString().replace(/"request_id":"[^"]+"/, ''));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
    for (const call of [show, revoke]) expect((await call(embed.id, other.apiKey)).status).toBe(404);
    expect((await show(embed.id)).body.state).toBe('created');
  });
});

describe('the frame of a signer', () => {
  it('is one of 16 that open the session at once, on a page of an allowed origin', async () => {
    const { frame } = await embedded();
    expect((await frame.exchange('https://evil.example')).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 16 }, () => new FramedSigner(pages, frame.path).exchange()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 409)]);
  });

  it('reaches the signer with its own access token alone, on a page of the host itself', async () => {
    const [own, other] = [await opened(), await opened()];
    const state = (access?: string, headers = {}) => {
      const frame = new FramedSigner(pages, own.frame.path);
      frame.access = access;
      return frame.call('GET', '/signer', undefined, headers);
    };
    for (const access of [undefined, other.frame.access, own.embed.token, own.link])
      expect((await state(access)).status).toBe(401);
    expect((await state(own.frame.access)).status).toBe(200);
    expect((await state(own.frame.access, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const headers = { authorization: `Bearer ${own.frame.access}` };
    expect((await fetch(`${running.url}${own.frame.path}/signer`, { headers })).status).toBe(404);
    // Neither token takes the other's place in a path.
    expect((await running.call(`/v1/sign/${own.embed.token}`)).status).toBe(404);
    expect((await running.call(`/v1/embed/sessions/${own.link}/state`)).status).toBe(404);
    await database.query(
      `update signing.embed_session set access_used_at = now() - interval '10 minutes 1 s' where token_hash = $1`,
      [hashSecret(own.embed.token)],
    );
    expect((await state(own.frame.access)).status).toBe(401);
  });

  it('takes 60 requests a minute, exactly, of 200 at once', async () => {
    const { frame } = await embedded();
    const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${running.url}${frame.path}/state`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(140);
  });
});

describe('an embed session of a signer ends', () => {
  const ROUTES: [method: string, route: string, body?: object][] = [
    ['GET', '/state'],
    ['GET', '/ui'],
    ['POST', '/exchange', { parent_origin: SHOP }],
    ['GET', '/signer'],
    ['POST', '/signer/sign', ANSWERS],
    ['GET', '/signer/document'],
  ];

  it('with the link, its time, its revocation, the envelope and the signer, each with the same 404 on every route', async () => {
    const written = { external_ref: 'Ana Inventada', metadata: { mail: 'ana@example.com' } };
    const circuit = await signing.circuit();
    const ended = await Promise.all(
      Array.from({ length: 7 }, async (_, nth) =>
        opened(written, { sent: await signing.envelope(circuit, [{ role: 'a', email: `a${nth}@correo.example.co` }]) }),
      ),
    );
    const [expired, revoked, rotated, stopped, voided, late, erased] = ended as [
      Embedded, Embedded, Embedded, Embedded, Embedded, Embedded, Embedded,
    ]; // prettier-ignore
    await database.query('update signing.embed_session set expires_at = now() where token_hash = $1', [
      hashSecret(expired.embed.token),
    ]);
    await revoke(revoked.embed.id);
    const signerPath = (sent: SentEnvelope) => `/v1/envelopes/${sent.id}/signers/${sent.signers[0]?.id}`;
    await signing.asTenant('POST', `${signerPath(rotated.sent)}/rotate-token`);
    await stopped.frame.signer('GET', '');
    expect((await stopped.frame.signer('POST', '/not-me')).status).toBe(204);
    await signing.asTenant('POST', `/v1/envelopes/${voided.sent.id}/void`, { reason: 'an error' });
    await signing.expire(late.sent.id);
    const email = erased.sent.signers[0]?.email;
    await database.query(`update signing.envelope set status = 'declined', ended_at = now() where id = $1`, [
      uuidOf('env', erased.sent.id),
    ]);
    expect((await signing.asTenant('POST', '/v1/erasures', { subject_ref: 'nobody', email })).status).toBeLessThan(300);

    const unknown = new FramedSigner(pages, expired.frame.path.slice(0, -23) + 'A'.repeat(23));
    unknown.access = expired.frame.access;
    const frames = [unknown, ...ended.map(({ frame }) => frame)];
    for (const [method, route, body] of ROUTES) {
      const answers = await Promise.all(frames.map((frame) => frame.call(method, route, body)));
      const texts = answers.map(
        ({ status, text, headers }) => `${status} ${text.replaceAll(String(headers.get('x-request-id')), '')}`,
      );
      expect(new Set(texts).size, `${route} ${[...new Set(texts)].join('\n')}`).toBe(1);
      expect(texts[0], route).toMatch(/^404 /);
      expect(texts[0]).not.toContain('emt_');
      expect(answers[0]?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    const states = await Promise.all(ended.map(async ({ embed }) => (await show(embed.id)).body.state));
    expect(states).toEqual(['expired', 'revoked', 'revoked', 'revoked', 'failed', 'failed', 'failed']);
    expect((await show(erased.embed.id)).body).toMatchObject({ external_ref: null, metadata: {} });
    expect((await signing.state(revoked.link)).next).toBe('consent'); // the mailed link of a revoked session works
  });

  it('with the tenant: refused while that is suspended, and works again afterwards', async () => {
    const { frame } = await opened();
    const stand = (column: string, at: string) =>
      database.query(`update platform.tenant set ${column} = ${at} where id = $1`, [tenant.id]);
    await stand('suspended_at', 'now()');
    expect((await frame.signer('GET', '')).status).toBe(403);
    await stand('suspended_at', 'null');
    expect((await frame.signer('GET', '')).status).toBe(200);
  });

  it('and is deleted 30 days after it expired', async () => {
    const [kept, old] = [await embedded(), await embedded()];
    for (const [{ embed }, days] of [[kept, 29] as const, [old, 30] as const]) {
      await database.query(
        `update signing.embed_session set expires_at = now() - make_interval(days => $2) where id = $1`,
        [uuidOf('ems', embed.id), days],
      );
    }
    await running.app.get(OldEmbedSessions, { strict: false }).run(new AbortController().signal);
    expect((await show(kept.embed.id)).body.state).toBe('expired');
    expect((await show(old.embed.id)).status).toBe(404);
  });
});
