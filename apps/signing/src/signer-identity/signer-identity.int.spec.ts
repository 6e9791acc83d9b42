import type {
  SignerIdentityMessage,
  SignerIdentityRequest,
  SignerIdentityResult,
  VerifiedSigner,
} from '@constancia/contracts';
import { Queues } from '@constancia/queue';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { ANSWERS, definitionOf, Signing } from '../sign/sign.fixture.ts';
import type { SignState } from '../signer-requests/sign-state-view.ts';
import { consentText } from '../signer-requests/consent-texts.ts';
import type { IdentityCheck } from './identity-check.entity.ts';
import { IdentityRequests } from './identity-requests.ts';
import { IdentityResults } from './identity-results.ts';
import type { StartedIdentityView } from './identity-view.ts';

let database: TestDatabase;
let running: RunningSigning;
let tenant: TestTenant;
let signing: Signing;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database, { credits: 10_000 });
  signing = new Signing(running, database, tenant.apiKey);
});

afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const DOCUMENT = { document_type: 'CC', document_number: '1.098.765.432', country: 'CO' };
const CAPTURE = 'https://person.example/capture#cpt_a';
const OPEN = { outcome: 'open', capture_url: CAPTURE, lacks_credits: false } as const satisfies SignerIdentityResult;
const VERIFIED: VerifiedSigner = {
  full_name: 'ÑUNGO PEÑA ANA MARIA',
  document_type: 'CC',
  document_country: 'CO',
  methods: ['document', 'face'],
  liveness: 'basic',
  verified_at: '2026-11-25T15:00:00.000Z',
  flow: { type: 'onboarding', code: 'default', version: 1 },
  session_id: 'fls_01kamx9d3sf0r8y7w2k4v6b1nq',
};

/** One browser of a signer: keeps its claim and its proof. */
class SignerBrowser {
  claim: string | null = null;
  proof: string | null = null;

  constructor(readonly token: string) {}

  async call<Body = StartedIdentityView & Omit<SignState, 'status'> & Omit<Problem, 'status'>>(
    path: string,
    body?: object,
    method = 'POST',
  ): Promise<Answer<Body>> {
    const headers = {
      ...(this.claim !== null && { 'x-identity-claim': this.claim }),
      ...(this.proof !== null && { 'x-sign-proof': this.proof }),
    };
    const answer = await running.call<Body>(`/v1/sign/${this.token}${path}`, {
      method,
      headers,
      ...(body && { body }),
    });
    const { claim, proof } = (answer.body ?? {}) as { claim?: { token: string } | null; proof?: { token: string } };
    if (claim) this.claim = claim.token;
    if (proof) this.proof = proof.token;
    return answer;
  }

  start = (body: object = DOCUMENT) => this.call('/identity', body);
  show = () => this.call('/identity', undefined, 'GET');
  complete = () => this.call('/identity/complete');
  state = () => this.call('', undefined, 'GET');
}

/** A signer who has agreed and is to prove an identity. */
async function provingIdentity(
  changes: { name?: string; auth?: string[]; document_access?: string } = {},
): Promise<SignerBrowser> {
  const { name = 'Ana María Ñungo', auth = ['identity'], ...access } = changes;
  const { a } = await signing.tokens(definitionOf([{ role: 'a', auth }], access), [{ role: 'a', name }]);
  const browser = new SignerBrowser(a as string);
  await browser.state();
  const { version } = consentText('es-CO');
  expect((await browser.call('/consent', { accepted: true, locale: 'es-CO', version })).status).toBe(200);
  return browser;
}

type KeptCheck = Pick<IdentityCheck, 'id' | 'status' | 'request_sealed' | 'capture_sealed'>;

const checkOf = async ({ token }: SignerBrowser) => {
  const [row] = await database.query<KeptCheck>(
    `select c.* from signing.identity_check c join signing.envelope_signer s on s.id = c.signer_id
      where s.token_hash = sha256(convert_to($1, 'utf8'))`,
    [token],
  );
  return row as KeptCheck;
};

/** The tenant makes another link for the only signer of an envelope. */
async function replaceLink({ body: { envelope } }: Answer<Pick<SignState, 'envelope'>>): Promise<Answer<unknown>> {
  const shown = await signing.asTenant<{ signers: { id: string }[] }>('GET', `/v1/envelopes/${envelope.id}`);
  const [{ id }] = shown.body.signers as [{ id: string }];
  return signing.asTenant('POST', `/v1/envelopes/${envelope.id}/signers/${id}/rotate-token`);
}

const longAgo = () =>
  database.query(`update signing.identity_check set asked_at = now() - interval '1 hour' where tenant_id = $1`, [
    tenant.id,
  ]);

/** As the identity module answers. */
const answer = async (browser: SignerBrowser, result: SignerIdentityResult) =>
  running.app.get(IdentityResults, { strict: false }).record(tenant.id, (await checkOf(browser)).id, result);

const trail = async () =>
  (
    await database.query<{ type: string; data: string }>(
      'select type, data from signing.envelope_event where tenant_id = $1 order by seq',
      [tenant.id],
    )
  ).map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));

describe('a signer who proves an identity', () => {
  it('begins with a document, goes on at the address of the identity module, and signs with the proof', async () => {
    const browser = await provingIdentity();
    expect((await browser.state()).body).toMatchObject({
      next: 'identity',
      auth: { required: ['identity'], completed: [] },
    });
    const started = await browser.start();
    expect(started).toMatchObject({ status: 202, body: { status: 'requested', capture_url: null } });
    expect(started.body.claim?.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    await answer(browser, OPEN);
    expect((await browser.show()).body).toEqual({ status: 'open', capture_url: CAPTURE });
    expect(await browser.complete()).toMatchObject({ status: 409 });
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    expect((await browser.show()).body).toEqual({ status: 'verified', capture_url: null });
    expect((await browser.complete()).body).toMatchObject({ next: 'sign', auth: { completed: ['identity'] } });
    expect((await browser.call('/sign', { ...ANSWERS, fields: {} })).status).toBe(200);
    const events = await trail();
    const { full_name: _, ...evidence } = VERIFIED;
    expect(events).toContainEqual({
      type: 'signer.identity_checked',
      data: { outcome: 'verified', verified: evidence, salt: expect.any(String) },
    });
    expect(events).toContainEqual({
      type: 'signer.authenticated',
      data: { method: 'identity', outcome: 'verified', complete: true, ...evidence, salt: expect.any(String) },
    });
    expect(JSON.stringify(events)).not.toContain('1098765432');
  });

  it('is asked about with what the document says, sealed, until the identity module answers', async () => {
    const browser = await provingIdentity();
    const requests = running.app.get(IdentityRequests, { strict: false });
    const queues = running.app.get(Queues, { strict: false });
    const asked: SignerIdentityRequest[] = [];
    vi.spyOn(queues, 'seal').mockImplementation((request) => (asked.push(request as SignerIdentityRequest), 'sealed'));
    vi.spyOn(queues, 'hint').mockImplementation(() => undefined);
    try {
      await browser.start();
      await longAgo();
      await requests.run();
      const open = {
        flow: { type: 'onboarding', code: 'default' },
        document_type: 'CC',
        document_number: '1098765432',
        country: 'CO',
        email: 'a@correo.example.co',
        locale: 'es-CO',
      };
      expect(asked.filter((request) => request.open !== null)).toEqual([{ open }, { open }]);
      await answer(browser, OPEN);
      expect((await checkOf(browser)).request_sealed).toBeNull();
      await longAgo();
      await requests.run();
      expect(asked.at(-1)).toEqual({ open: null });
      const count = asked.length;
      await requests.run(); // asked a moment ago
      await Promise.all(Array.from({ length: 5 }, browser.show));
      await browser.start();
      expect(asked.length).toBe(count);
      await longAgo();
      await Promise.all(Array.from({ length: 5 }, browser.show));
      expect(asked.length).toBe(count + 1);
      await signing.asTenant('POST', `/v1/envelopes/${(await browser.state()).body.envelope.id}/void`, { reason: 'x' });
      await longAgo();
      await requests.run(); // the envelope is over: nothing is asked, the cancellation is sent
      expect(asked.slice(count + 1)).toEqual([{ open: null, cancel: true }]);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it.each([
    ['another name', { outcome: 'verified', verified: { ...VERIFIED, full_name: 'GOMEZ ANA' } }, 'name_mismatch'],
    ['a flow that failed', { outcome: 'not_verified' }, 'not_verified'],
    ['a session that ran out', { outcome: 'expired' }, 'expired'],
    ['a flow that is not published', { outcome: 'refused', reason: 'flow_not_published' }, 'refused'],
  ] as const)('gets no proof for %s, and may begin again', async (_, result, status) => {
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, OPEN);
    const former = await checkOf(browser);
    await answer(browser, result as SignerIdentityResult);
    expect((await browser.show()).body).toEqual({ status, capture_url: null });
    expect(await browser.complete()).toMatchObject({ status: 409 });
    expect((await browser.state()).body.next).toBe('identity');
    expect((await browser.start()).body).toMatchObject({ status: 'requested' });
    expect((await checkOf(browser)).id).not.toBe(former.id);
    expect(JSON.stringify(await trail())).not.toContain('GOMEZ');
  });

  it('waits while a person reviews the session', async () => {
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, { outcome: 'in_review' });
    await answer(browser, OPEN); // an older answer
    expect((await browser.show()).body).toEqual({ status: 'in_review', capture_url: null });
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    expect((await browser.complete()).status).toBe(200);
  });

  it('goes on with the same check when the start is repeated', async () => {
    const browser = await provingIdentity();
    await browser.start();
    const { id } = await checkOf(browser);
    expect((await browser.start()).body).toMatchObject({ status: 'requested', claim: null });
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    expect((await browser.start()).body).toMatchObject({ status: 'verified', claim: null });
    expect((await checkOf(browser)).id).toBe(id);
  });

  it('settles once, whatever comes later', async () => {
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, { outcome: 'not_verified' });
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    expect((await checkOf(browser)).status).toBe('not_verified');
    expect((await trail()).filter(({ type }) => type === 'signer.identity_checked')).toHaveLength(1);
  });
});

describe('what the sender sees', () => {
  const shownTo = async (browser: SignerBrowser) => {
    const { envelope } = (await browser.state()).body;
    const path = `/v1/envelopes/${envelope.id}`;
    return (await signing.asTenant<{ signers: { identity: unknown }[] }>('GET', path)).body.signers[0]?.identity;
  };

  it('is why a verification is refused or cannot go on; the signer’s answers are the same as without a reason', async () => {
    const browser = await provingIdentity();
    expect(await shownTo(browser)).toBeNull();
    await browser.start();
    await answer(browser, OPEN);
    const before = await browser.show();
    await answer(browser, { ...OPEN, lacks_credits: true });
    expect(await shownTo(browser)).toMatchObject({ status: 'open', reason: 'insufficient_credits', session_id: null });
    expect((await browser.show()).bytes).toEqual(before.bytes);
    await answer(browser, OPEN);
    expect(await shownTo(browser)).toMatchObject({ status: 'open', reason: null });
    await answer(browser, { outcome: 'expired' });
    const bodies: string[] = [];
    for (const reason of ['insufficient_credits', 'flow_not_published', 'flow_not_suitable'] as const) {
      await browser.start();
      await answer(browser, { outcome: 'refused', reason });
      bodies.push((await browser.show()).bytes.toString());
      expect(await shownTo(browser)).toMatchObject({ status: 'refused', reason });
    }
    expect(new Set(bodies)).toEqual(new Set(['{"status":"refused","capture_url":null}']));
  });

  it('is the session of a verified identity, and no name or number', async () => {
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    expect(await shownTo(browser)).toEqual({
      ...{ status: 'verified', reason: null, session_id: VERIFIED.session_id },
      at: expect.any(String),
    });
    await database.query(
      `update signing.identity_check set settled_at = now() - interval '25 hours' where tenant_id = $1`,
      [tenant.id],
    );
    expect((await browser.show()).body.status).toBe('expired'); // it gives no more proofs
    expect(await shownTo(browser)).toMatchObject({ status: 'verified', session_id: VERIFIED.session_id });
    const kept = await database.query('select c::text as row from signing.identity_check c where tenant_id = $1', [
      tenant.id,
    ]);
    expect(JSON.stringify([kept, await trail()])).not.toMatch(/1098765432|PEÑA/);
  });
});

describe('a check whose time is over', () => {
  it('states a kept verification that was given instead, when the name on it is that of the envelope', async () => {
    const kept = { level: 'document_face', verified_at: '2026-10-01T09:00:00.000Z', proved_by: 'otp' } as const;
    const given: VerifiedSigner = { ...VERIFIED, methods: ['wallet'], liveness: null, kept };
    const other = await provingIdentity({ name: 'Otra Persona' });
    await other.start();
    await answer(other, { outcome: 'verified', verified: given });
    expect((await other.show()).body.status).toBe('name_mismatch');
    expect((await other.complete()).status).toBe(409);
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, { outcome: 'verified', verified: given });
    expect((await browser.complete()).body.next).toBe('sign');
    const stated = (await trail()).filter(({ data }) => JSON.stringify(data).includes('"wallet"'));
    expect(stated.map(({ type }) => type)).toEqual(['signer.identity_checked', 'signer.authenticated']);
    for (const { data } of stated)
      expect(data.verified ?? data).toMatchObject({ methods: ['wallet'], liveness: null, kept });
    expect(JSON.stringify(stated)).not.toMatch(/ÑUNGO|1098765432/);
  });

  it('that was verified stays verified when its envelope ends', async () => {
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    const { envelope } = (await browser.state()).body;
    await signing.asTenant('POST', `/v1/envelopes/${envelope.id}/void`, { reason: 'x' });
    expect((await checkOf(browser)).status).toBe('verified');
    expect(await database.query('select 1 from signing.identity_cancellation where tenant_id = $1', [tenant.id])).toEqual([]); // prettier-ignore
  });

  it.each<[string, (browser: SignerBrowser) => Promise<unknown>]>([
    ['another browser starts', ({ token }) => new SignerBrowser(token).start()],
    ['the link is replaced', async (browser) => replaceLink(await browser.state())],
    [
      'the envelope is voided',
      async (browser) =>
        signing.asTenant('POST', `/v1/envelopes/${(await browser.state()).body.envelope.id}/void`, { reason: 'x' }),
    ],
  ])('is cancelled at the identity module, again until it answers, when %s', async (_, end) => {
    const browser = await provingIdentity();
    await browser.start();
    const { id } = await checkOf(browser);
    const requests = running.app.get(IdentityRequests, { strict: false });
    const queues = running.app.get(Queues, { strict: false });
    const hint = vi.spyOn(queues, 'hint').mockImplementation(() => undefined);
    const sent = () =>
      hint.mock.calls.filter(([name, message]) => {
        if (name !== 'signer-identity') return false;
        const { id: check, sealed } = message as SignerIdentityMessage;
        return check === id && (queues.open(sealed) as SignerIdentityRequest).cancel === true;
      }).length;
    try {
      await end(browser);
      await requests.run();
      await requests.run(); // sent a moment ago: not again yet
      expect(sent()).toBe(1);
      await database.query(
        `update signing.identity_cancellation set sent_at = now() - interval '1 hour' where id = $1`,
        [id],
      );
      await requests.run();
      expect(sent()).toBe(2);
      await running.app.get(IdentityResults, { strict: false }).record(tenant.id, id, { outcome: 'cancelled' });
      expect(await database.query('select 1 from signing.identity_cancellation where id = $1', [id])).toEqual([]);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('expires with its envelope: what comes later is ignored, and the address is gone', async () => {
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, OPEN);
    const { envelope } = (await browser.state()).body;
    await signing.asTenant('POST', `/v1/envelopes/${envelope.id}/void`, { reason: 'x' });
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    expect(await checkOf(browser)).toMatchObject({ status: 'expired', capture_sealed: null, request_sealed: null });
    expect((await browser.show()).status).toBe(404);
    expect((await browser.complete()).status).toBe(404);
    expect((await trail()).some(({ type }) => type === 'signer.identity_checked')).toBe(false);
  });

  it('gives no proof a day after it was verified: the signer starts again', async () => {
    const browser = await provingIdentity();
    await browser.start();
    await answer(browser, { outcome: 'verified', verified: VERIFIED });
    await database.query(
      `update signing.identity_check set settled_at = now() - interval '24 hours' where tenant_id = $1`,
      [tenant.id],
    );
    expect((await browser.show()).body).toEqual({ status: 'expired', capture_url: null });
    expect((await browser.complete()).status).toBe(409);
    expect((await browser.start()).body).toMatchObject({ status: 'requested' });
  });
});

it('is verified again to see, in another browser, a signed document that only authenticated signers see', async () => {
  const own = await provingIdentity({ document_access: 'authenticated' });
  await own.start();
  await answer(own, { outcome: 'verified', verified: VERIFIED });
  await own.complete();
  expect((await own.call('/sign', { ...ANSWERS, fields: {} })).status).toBe(200);
  const other = new SignerBrowser(own.token);
  expect((await other.state()).body).toMatchObject({
    document: { needs_authentication: true },
    auth: { identity: true },
  });
  await other.start();
  await answer(other, { outcome: 'verified', verified: VERIFIED });
  expect((await other.complete()).body).toMatchObject({ document: { needs_authentication: false } });
});

describe('another person with the link', () => {
  it('gets nothing of what the signer verifies or has verified', async () => {
    const own = await provingIdentity();
    await own.start();
    await answer(own, { outcome: 'verified', verified: VERIFIED });
    const other = new SignerBrowser(own.token);
    expect((await other.show()).status).toBe(404);
    expect((await other.complete()).status).toBe(404);
    other.claim = 'A'.repeat(43);
    expect((await other.complete()).status).toBe(404);
    expect((await other.start()).body).toMatchObject({ status: 'requested' });
    expect((await other.complete()).status).toBe(409);
    expect((await own.complete()).status).toBe(404); // the former check has ended with its claim
  });

  it('loses the claim of an earlier start when the signer starts', async () => {
    const own = await provingIdentity();
    const other = new SignerBrowser(own.token);
    await other.start();
    await own.start();
    await answer(own, { outcome: 'verified', verified: VERIFIED });
    expect((await other.complete()).status).toBe(404);
    expect((await own.complete()).status).toBe(200);
  });

  it('of five starts at once one is the present one', async () => {
    const own = await provingIdentity();
    const browsers = Array.from({ length: 5 }, () => new SignerBrowser(own.token));
    await Promise.all(browsers.map((one) => one.start()));
    const shown = await Promise.all(browsers.map((one) => one.show()));
    expect(shown.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = await new SignerBrowser(own.token).start();
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('ends with the link: a replaced one begins again', async () => {
    const own = await provingIdentity();
    await own.start();
    expect((await replaceLink(await own.state())).status).toBe(200);
    expect(await database.query('select 1 from signing.identity_check where tenant_id = $1', [tenant.id])).toEqual([]);
  });
});

describe('what is refused', () => {
  it('a signer of another method, and one who has not agreed to sign electronically', async () => {
    const mailed = await provingIdentity({ auth: ['otp_email'] });
    expect((await mailed.start()).status).toBe(409);
    const second = await provingIdentity({ auth: ['otp_email', 'identity'] });
    expect((await second.start()).status).toBe(409); // the code comes first
  });

  it('to decline by the link alone, but not to decline with the code that comes before the identity', async () => {
    const reason = { reason: 'No autorizo el uso de mi rostro.' };
    expect((await (await provingIdentity()).call('/decline', reason)).status).toBe(409);
    const browser = await provingIdentity({ auth: ['otp_email', 'identity'] });
    expect((await browser.call('/decline', reason)).status).toBe(409);
    await browser.call('/otp/send');
    await browser.call('/otp/verify', { code: await signing.mailedCode(browser.token) });
    expect((await browser.state()).body.next).toBe('identity');
    const declined = await browser.call('/decline', reason);
    expect(declined.body.signer.status).toBe('declined');
  });

  it('a document that cannot exist, with a pointer to the member', async () => {
    const browser = await provingIdentity();
    const wrong = await browser.start({ ...DOCUMENT, country: 'XX', document_number: 'x' });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors?.map(({ pointer }) => pointer)).toContain('/country');
    expect(await database.query('select 1 from signing.identity_check where tenant_id = $1', [tenant.id])).toEqual([]);
  });

  it('an envelope without the name that the document must have, or with one name only, and a flow for a role without identity', async () => {
    const circuit = await signing.circuit(definitionOf([{ role: 'a', auth: ['identity'] }]));
    const body = { circuit_id: circuit, signers: [{ role: 'a', email: 'a@correo.example.co' }] };
    const unnamed = await signing.asTenant('POST', '/v1/envelopes', body);
    expect(unnamed).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/signers/0/name', code: 'required' }] },
    });
    const oneName = { ...body, signers: [{ ...body.signers[0], name: 'Ana de la' }] };
    expect(await signing.asTenant('POST', '/v1/envelopes', oneName)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/signers/0/name', code: 'wrong_format' }] },
    });
    const draft = await signing.asTenant<{ id: string }>('POST', '/v1/circuits', { code: 'flows', name: 'Flows' });
    const definition = definitionOf([{ role: 'a' }]);
    const signers = definition.signers.map((one) => ({ ...one, order: 0, identity_flow: { code: 'default' } }));
    expect(
      await signing.asTenant('PUT', `/v1/circuits/${draft.body.id}/definition`, { ...definition, signers }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/signers/0/order' }, { pointer: '/signers/0/identity_flow', code: 'not_allowed' }] },
    });
  });
});
