import { randomBytes } from 'node:crypto';
import { SecretBox, typeId, uuidv7 } from '@constancia/kernel';
import { reseal } from '@constancia/persistence';
import {
  eventually,
  TEST_SECRETS_KEY,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
} from '@constancia/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RawProvider } from './provider/raw-provider.fixture.ts';
import { SSO_SECRET, ssoSecretContext } from './sso-secret.ts';
import { ssoPlatform, type SsoPlatform, ssoTenant, type SsoTenant } from './sso-setup.fixture.ts';
import type { Sso } from './sso.entity.ts';

let database: TestDatabase;
let platform: SsoPlatform;
let tenant: SsoTenant;
let provider: RawProvider;

beforeAll(async () => {
  database = await testDatabase();
  platform = await ssoPlatform(database);
});
beforeEach(async () => {
  [tenant, provider] = await Promise.all([ssoTenant(database, platform), RawProvider.start()]);
});
afterEach(() => provider.close());
afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

const SECRET = 'the-secret-of-the-client';
const bodyOf = (changes: object = {}) => ({
  ...{ issuer: provider.issuer, client_id: 'constancia', client_secret: SECRET, domains: [tenant.domain] },
  ...{ enforce: false, ...changes },
});
const put = (changes: object = {}, as: { member?: string; key?: string } = { member: tenant.owner.token }) =>
  platform.call('/v1/sso', { method: 'PUT', ...as, body: bodyOf(changes) });
const errorsOf = (body: unknown) =>
  (body as { errors: { pointer: string; code: string }[] }).errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe('PUT /v1/sso', () => {
  it('keeps the provider and never shows the secret: not in an answer, not at rest, not in the audit log', async () => {
    const answer = await put({ role_claim: 'groups', role_map: { a: 'analyst' } });
    expect(answer.status).toBe(200);
    const shown = await platform.call('/v1/sso', { member: tenant.owner.token });
    expect(shown.body).toEqual(answer.body);
    expect(shown.body).toEqual({
      ...{ issuer: provider.issuer, client_id: 'constancia', domains: [tenant.domain] },
      ...{ role_claim: 'groups', role_map: { a: 'analyst' }, enforce: false, redirect_uri: tenant.redirectUri },
      sign_in_url: `${platform.console}/console/sso/${tenant.slug}`,
      updated_at: expect.any(String),
    });
    const [row] = await database.query('select * from platform.sso where tenant_id = $1', [tenant.id]);
    const log = await database.query('select * from platform.audit_entry where tenant_id = $1', [tenant.id]);
    const notices = await database.query('select * from platform.owner_notice where tenant_id = $1', [tenant.id]);
    expect(log).toEqual([expect.objectContaining({ type: 'sso.changed' })]);
    expect(notices).toEqual([expect.objectContaining({ kind: 'sso_changed', detail: provider.issuer })]);
    const stored = [row, log, notices].map((rows) => JSON.stringify(rows)).join();
    const sealed = (row as { client_secret: Buffer }).client_secret;
    expect(sealed.includes(SECRET)).toBe(false);
    expect(stored).not.toContain(SECRET);
  });

  it('keeps the stored secret for the same client, and for no other', async () => {
    await put();
    const kept = await put({ client_secret: undefined, domains: ['other.example'] });
    expect([kept.status, kept.body]).toEqual([200, expect.objectContaining({ domains: ['other.example'] })]);
    for (const change of [{ client_id: 'another' }, { issuer: 'https://idp.example' }]) {
      const refused = await put({ client_secret: undefined, ...change });
      expect([refused.status, errorsOf(refused.body)]).toEqual([400, ['/client_secret required']]);
    }
  });

  it('is for owners who are signed in: no key and no other member may name who signs members in', async () => {
    const admin = await testMember(database, tenant.id, 'admin');
    const auditor = await testMember(database, tenant.id, 'auditor');
    for (const as of [{ key: tenant.apiKey }, { member: admin.token }, { member: auditor.token }]) {
      expect((await put({}, as)).status).toBe(403);
      expect((await platform.call('/v1/sso', { method: 'DELETE', ...as })).status).toBe(403);
    }
    await put();
    expect((await platform.call('/v1/sso', { member: auditor.token })).status).toBe(200);
    const sender = await testMember(database, tenant.id, 'sender');
    expect((await platform.call('/v1/sso', { member: sender.token })).status).toBe(403);
  });

  it('waits until the address of the tenant’s owner is verified', async () => {
    const unverified = await testTenant(database, { verified: false });
    const owner = await testMember(database, unverified.id, 'owner');
    expect((await put({}, { member: owner.token })).status).toBe(409);
  });

  it('of another provider ends the sessions of the former one, and no others', async () => {
    await put();
    const [viaSso, withCode] = [
      await testMember(database, tenant.id, 'analyst', { method: 'sso' }),
      await testMember(database, tenant.id, 'analyst'),
    ];
    const statusOf = async ({ token }: { token: string }) =>
      (await platform.call('/v1/member-sessions', { member: token })).status;
    await put({ domains: ['other.example'] });
    expect(await statusOf(viaSso)).toBe(200);
    await put({ client_id: 'another' });
    await eventually(async () => expect(await statusOf(viaSso)).toBe(401), 1_000);
    expect(await statusOf(withCode)).toBe(200);
  });

  it.each<[string, object, string]>([
    ['a map without its claim', { role_map: { a: 'analyst' } }, '/role_claim required'],
    ['a claim without its map', { role_claim: 'groups' }, '/role_map required'],
    ['a map that makes owners', { role_claim: 'groups', role_map: { a: 'owner' } }, '/role_map invalid'],
    ['a public mail domain that would add members', { role_claim: 'g', role_map: { a: 'sender' }, domains: ['gmail.com'] }, '/domains/0 public_mail_domain'],
    ['an issuer with a query', { issuer: 'https://idp.example/?a=b' }, '/issuer wrong_format'],
    ['an issuer that is no address', { issuer: 'idp' }, '/issuer wrong_format'],
  ])('refuses %s', async (_name, changes, error) => {
    const { status, body } = await put(changes);
    expect([status, errorsOf(body)]).toEqual([400, [expect.stringContaining(error.replace(' invalid', ''))]]);
  }); // prettier-ignore

  it('takes a public mail domain for invited members', async () => {
    expect((await put({ domains: ['gmail.com'] })).status).toBe(200);
  });

  it.each<[string, (raw: RawProvider) => object | void, string]>([
    ['an issuer that does not answer', () => ({ issuer: 'http://127.0.0.1:1' }), 'provider_unreachable'],
    ['an address inside', () => ({ issuer: 'https://10.0.0.1' }), 'address_refused'],
    ['the cloud’s own address', () => ({ issuer: 'http://169.254.169.254' }), 'address_refused'],
    ['plain http to a public host', () => ({ issuer: 'http://idp.example' }), 'address_refused'],
    ['another port', () => ({ issuer: 'https://idp.example:8443' }), 'address_refused'],
    ['a host without a discovery document', (raw) => void (raw.discovery = (response) => response.writeHead(404).end()), 'no_discovery'],
    ['a redirect', (raw) => void (raw.discovery = (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()), 'no_discovery'],
    ['a document without end', (raw) => void (raw.discovery = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"issuer":"${'x'.repeat(300_000)}"}`)), 'provider_unreachable'],
    ['another issuer', (raw) => void (raw.metadata.issuer = 'https://another.example'), 'issuer_mismatch'],
    ['the issuer with a slash too many', (raw) => ({ issuer: `${raw.issuer}/` }), 'issuer_mismatch'],
    ['no S256', (raw) => void (raw.metadata.code_challenge_methods_supported = ['plain']), 'no_pkce_s256'],
    ['no code flow', (raw) => void (raw.metadata.response_types_supported = ['id_token']), 'no_code_flow'],
    ['only shared-secret signatures', (raw) => void (raw.metadata.id_token_signing_alg_values_supported = ['HS256', 'none']), 'no_signature_algorithm'],
    ['no way for the secret', (raw) => void (raw.metadata.token_endpoint_auth_methods_supported = ['private_key_jwt']), 'no_client_authentication'],
    ['a token endpoint over http', (raw) => void (raw.metadata.token_endpoint = 'http://idp.example/token'), 'endpoint_refused'],
    ['an authorization endpoint over http', (raw) => void (raw.metadata.authorization_endpoint = 'http://idp.example/a'), 'endpoint_refused'],
    ['keys at an address inside', (raw) => void (raw.metadata.jwks_uri = 'https://192.168.1.1/jwks'), 'endpoint_refused'],
    ['a UserInfo endpoint inside', (raw) => void (raw.metadata.userinfo_endpoint = 'https://[fd00::1]/'), 'endpoint_refused'],
    ['no keys', (raw) => void (raw.metadata.jwks_uri = undefined), 'endpoint_missing'],
  ])('names what is wrong with a provider: %s', async (_name, spoil, code) => {
    const { status, body } = await put(spoil(provider) ?? {});
    expect([status, errorsOf(body)]).toEqual([422, [`/issuer ${code}`]]);
    expect((await platform.call('/v1/sso', { member: tenant.owner.token })).status).toBe(404);
  }); // prettier-ignore
});

it('a rotation of SECRETS_KEY seals the secret again, and it opens in the row of its tenant alone', async () => {
  await put();
  const next = randomBytes(32);
  const both = new SecretBox([next, Buffer.from(TEST_SECRETS_KEY, 'base64')]);
  const count = await reseal(database.owner('platform'), both, [SSO_SECRET]);
  expect(count['platform.sso.client_secret']).toBeGreaterThan(0);
  const [row] = await database.query<Pick<Sso, 'client_secret'>>(
    'select client_secret from platform.sso where tenant_id = $1',
    [tenant.id],
  );
  const open = (id: string) => new SecretBox([next]).open((row as Sso).client_secret, ssoSecretContext(id)).toString();
  expect(open(tenant.id)).toBe(SECRET);
  expect(() => open(uuidv7())).toThrow();
  expect(await reseal(database.owner('platform'), both, [SSO_SECRET])).toEqual({ 'platform.sso.client_secret': 0 });
});

it('the store writes ids as the API does', async () => {
  const ids = [uuidv7(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  for (const id of ids) {
    const [row] = await database.query<{ id: string }>(`select platform.type_id('mbr', $1) as id`, [id]);
    expect(row?.id).toBe(typeId('mbr', id));
  }
});
