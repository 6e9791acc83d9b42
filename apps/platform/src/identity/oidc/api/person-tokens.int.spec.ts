import { sleep, uuidOf, uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowCaller, type Session } from '../../running-identity.fixture.ts';
import { TokenKeys } from '../../token-keys/token-keys.ts';
import type { TokenKeySet } from '../../token-keys/token-key-sets.ts';
import { keepIn } from '../../wallet/signed-in-person.fixture.ts';
import { WalletKeys } from '../../wallet/wallet-keys.ts';
import { consentRecord, sealForWallet } from '../../wallet/wallet-records.ts';
import { apiClaims } from '../openid-tokens.fixture.ts';
import { RunningOpenId } from '../openid.fixture.ts';

let store: TestDatabase;
let running: RunningOpenId;
let tenant: TestTenant;
let flows: FlowCaller;
/** Keeps a verification of the document 1098765432, made in `kept`. */
let walletId: string;
let kept: Session;
let claims: Record<string, string | number>;

beforeAll(async () => {
  store = await testDatabase();
  running = await RunningOpenId.start(store);
  tenant = await running.tenant();
  flows = new FlowCaller(running.platform, tenant, store);
  await flows.seed();
  walletId = await running.wallet();
  kept = await flows.open({ external_ref: 'cus-1' });
  await keepIn(store, walletId, kept);
  claims = (await apiClaims(running.platform, store, { tenantId: tenant.id, walletId })).claims;
});
afterAll(async () => {
  await running?.close();
  await store?.drop();
});

interface Signed {
  typ?: string;
  keySet?: TokenKeySet;
}

async function signed(more: object = {}, { typ = 'at+jwt', keySet = 'openid' }: Signed = {}): Promise<string> {
  return (await running.get(TokenKeys).signer(keySet))(typ, { ...claims, ...more });
}

interface Call {
  token?: string;
  body?: object;
}

/** A request of an application, for its person. */
async function call(path: string, { token, body }: Call = {}) {
  const authorization = `Bearer ${token ?? (await signed())}`;
  return running.platform.call<Record<string, unknown>>(path, { headers: { authorization }, ...(body && { body }) });
}

const subjectPath = ({ subject_id }: Pick<Session, 'subject_id'>) => `/v1/kyc/subjects/${subject_id}`;
const sessionPath = ({ id }: Pick<Session, 'id'>) => `/v1/flows/sessions/${id}`;
const withoutRequest = ({ request_id: _id, instance: _path, ...problem }: Record<string, unknown>) => problem;

describe('an access token of a person', () => {
  it('reads the subject that is the person, without what the person may not know', async () => {
    await store.query(`update identity.subject set restrictive_list_hits = '{PEP}' where id = $1`, [
      uuidOf('sub', kept.subject_id),
    ]);
    const { status, body } = await call(subjectPath(kept), { token: await signed({ scope: 'subject:read' }) });
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      [
        ...['age_years', 'birth_date', 'document_country', 'document_number_masked', 'document_type', 'full_name'],
        ...['kyc_status', 'subject_id', 'verified_at'],
      ],
    ]);
    expect(body).toMatchObject({ subject_id: kept.subject_id, document_number_masked: '••••••5432' });
  });

  it('reads, feeds and advances a session of the person', async () => {
    const session = await flows.open({ external_ref: 'cus-1' });
    const shown = await call(sessionPath(session), { token: await signed({ scope: 'session:read' }) });
    expect([shown.status, shown.body.current_step, 'external_ref' in shown.body]).toEqual([200, 'consent', false]);
    const token = await signed({ scope: 'session:write' });
    const upload = await call(`${subjectPath(session)}/presign-upload`, { token, body: { kind: 'selfie' } });
    expect(upload.status).toBe(201);
    const moved = await call(`${sessionPath(session)}/advance`, { token, body: { input: { accepted: true } } });
    expect([moved.status, moved.body.current_step]).toEqual([200, 'document_upload']);
  });

  it('does not find what is anybody else’s, in the words for what does not exist', async () => {
    const unknown = ['01jd8m3x5se9t8qzvwpk4c2d6h'].flatMap((id) => [`sub_${id}`, `fls_${id}`]);
    const other = await flows.open({ external_ref: 'cus-2', document_number: '79543210' });
    const sameName = await flows.open({ external_ref: 'cus-3' }); // of the same number, and by nobody verified
    const elsewhere = new FlowCaller(running.platform, await running.tenant(), store);
    await elsewhere.seed();
    const foreign = await elsewhere.open();
    const answers = [];
    for (const [subject_id = '', id = ''] of [
      unknown,
      ...[other, sameName, foreign].map((one) => [one.subject_id, one.id]),
    ]) {
      answers.push(
        await call(subjectPath({ subject_id })),
        await call(sessionPath({ id })),
        await call(`${sessionPath({ id })}/advance`, { body: { input: { accepted: true } } }),
        await call(`${subjectPath({ subject_id })}/presign-upload`, { body: { kind: 'selfie' } }),
      );
    }
    const [first] = answers;
    expect(first?.status).toBe(404);
    for (const { body } of answers) expect(withoutRequest(body)).toEqual(withoutRequest(first?.body ?? {}));
  });

  it('loses a subject that is given another document', async () => {
    const session = await flows.open({ external_ref: 'cus-4' });
    await keepIn(store, walletId, session);
    expect((await call(subjectPath(session))).status).toBe(200);
    await flows.open({ external_ref: 'cus-4', document_number: '79543210' });
    expect((await call(subjectPath(session))).status).toBe(404);
  });

  it.each(['/v1/kyc/subjects', '/v1/flows/sessions', '/v1/flows', '/v1/billing/balance', '/v1/webhook-endpoints', '/v1/wallet/me'])(
    'opens nothing else: %s',
    async (path) => {
      expect((await call(path)).status).toBe(401);
    },
  ); // prettier-ignore

  it('needs the scope of the operation', async () => {
    for (const [path, scope, body] of [
      [subjectPath(kept), 'subject:read', undefined],
      [sessionPath(kept), 'session:read', undefined],
      [`${sessionPath(kept)}/advance`, 'session:write', { input: {} }],
      [`${subjectPath(kept)}/presign-upload`, 'session:write', { kind: 'selfie' }],
    ] as const) {
      const others = ['subject:read', 'session:read', 'session:write'].filter((name) => name !== scope).join(' ');
      const answer = await call(path, { token: await signed({ scope: others }), ...(body && { body }) });
      const asked = answer.headers.get('www-authenticate');
      expect([answer.status, asked]).toEqual([401, `Bearer error="insufficient_scope", scope="${scope}"`]);
    }
  });

  it.each<[string, object, Signed?]>([
    ['another class', {}, { typ: 'JWT' }],
    ['another key set', {}, { keySet: 'wallet_session' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'oic_01jd8m3x5se9t8qzvwpk4c2d6h' }],
    ['several audiences', { aud: ['urn:service:api', 'x'] }],
    ['another tenant than its client', { tenant_id: uuidv7() }],
    ['another person than its grant', { sub: 'x' }],
    ['an unknown client', { client_id: 'oic_01jd8m3x5se9t8qzvwpk4c2d6h' }],
    ['no grant', { grant: undefined }],
    ['an unknown grant', { grant: Buffer.alloc(32).toString('base64url') }],
    ['no end', { exp: undefined }],
    ['an end that has passed', { exp: Math.floor(Date.now() / 1_000) - 1 }],
    ['a key that it is bound to', { cnf: { jkt: 'x' } }],
  ])('is refused with %s', async (_what, more, how) => {
    const { status, body } = await call(subjectPath(kept), { token: await signed(more, how) });
    expect([status, body.type]).toEqual([401, 'http://platform.test/problems/unauthorized']);
  });
});

describe('within a second, nothing opens any more', () => {
  const ENDS: [string, (of: Awaited<ReturnType<typeof apiClaims>>, wallet: string, at: string) => Promise<unknown>][] =
    [
      ['a deleted client', ({ clientId }) => store.query('delete from identity.oidc_client where id = $1', [uuidOf('oic', clientId)])], // prettier-ignore
      ['an ended grant', ({ claims: { grant } }) => store.query('select identity.end_oidc_grant($1)', [Buffer.from(grant as string, 'base64url')])], // prettier-ignore
      ['a recovered wallet', (_, wallet) => store.query('update identity.wallet set signed_out_at = clock_timestamp() where wallet_id = $1', [wallet])], // prettier-ignore
      ['an erased wallet', (_, wallet) => store.query('update identity.wallet set erased_at = now(), wrapped_key = null, sealed = null, document_index = null, contact_index = null, receipt_id = gen_random_uuid() where wallet_id = $1', [wallet])], // prettier-ignore
      ['a suspended tenant', (_of, _wallet, at) => store.query("update platform.tenant set suspended_at = now() where id = $1", [at])], // prettier-ignore
    ];

  it.each(ENDS)('of %s', async (_what, end) => {
    const [own, wallet] = [await running.tenant(), await running.wallet()];
    const given = await apiClaims(running.platform, store, { tenantId: own.id, walletId: wallet });
    const token = await signed(given.claims);
    const path = '/v1/kyc/subjects/sub_01jd8m3x5se9t8qzvwpk4c2d6h';
    expect((await call(path, { token })).status).toBe(404);
    await end(given, wallet, own.id);
    await sleep(50);
    expect((await call(path, { token })).status).toBe(401);
  });
});

describe('a subject that a person gave a kept verification for', () => {
  it('is theirs until they withdraw the consent, or somebody else’s is given for it', async () => {
    const session = await flows.open({ external_ref: 'cus-5' });
    expect((await call(subjectPath(session))).status).toBe(404);
    const [presentationId, consentId] = [uuidv7(), uuidv7()];
    await given(presentationId, session);
    expect((await call(subjectPath(session))).status).toBe(404);
    await consented(consentId, presentationId);
    expect((await call(subjectPath(session))).status).toBe(200);
    await given(uuidv7(), session);
    expect((await call(subjectPath(session))).status).toBe(404);
    await store.query('delete from identity.wallet_presentation where id > $1', [presentationId]);
    expect((await call(subjectPath(session))).status).toBe(200);
    await store.query('update identity.wallet_presentation set consent_revoked_at = now() where id = $1', [presentationId]); // prettier-ignore
    expect((await call(subjectPath(session))).status).toBe(404);
  });
});

async function given(id: string, { subject_id }: Session): Promise<void> {
  await store.query(
    `insert into identity.wallet_presentation (id, tenant_id, tenant_name, status, channel, purpose, claims, max_age_days, metadata,
            created_at, expires_at, ended_at, subject_id, level, verified_at, sealed_claims)
     values ($1, $2, 'Banco', 'approved', 'qr', 'x', '{full_name}', 365, '{}', now(), now(), clock_timestamp(), $3, 'document_face', now(), '\\x00')`,
    [id, tenant.id, uuidOf('sub', subject_id)],
  );
}

async function consented(id: string, presentation_id: string): Promise<void> {
  const [row] = await store.query<{ wrapped_key: Buffer; ended_at: Date }>(
    `select w.wrapped_key, p.ended_at from identity.wallet w, identity.wallet_presentation p where w.wallet_id = $1 and p.id = $2`,
    [walletId, presentation_id],
  );
  const key = await running.get(WalletKeys).unwrap(walletId, row?.wrapped_key as Buffer);
  const shared = { tenant_id: tenant.id, presentation_id };
  await store.query(
    `insert into identity.wallet_consent (id, wallet_id, kind, text_version, locale, text_sha256, sealed_origin, given_at)
     values ($1, $2, 'share', '1', 'en', $3, $4, $5)`,
    [id, walletId, Buffer.alloc(32), sealForWallet(key, walletId, consentRecord(id), { shared }), row?.ended_at],
  );
}
