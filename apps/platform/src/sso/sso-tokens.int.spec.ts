import { Metrics } from '@constancia/telemetry';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RawProvider } from './provider/raw-provider.fixture.ts';
import { SsoBrowser, ssoPlatform, type SsoPlatform, ssoTenant, type SsoTenant } from './sso-setup.fixture.ts';

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

/** Saves the provider, which says that Ana is in the group. */
async function put(of: SsoTenant, with_: RawProvider, body: object = {}) {
  with_.claims = { email: `ana@${of.domain}`, groups: 'analysts', ...with_.claims };
  return platform.call('/v1/sso', {
    method: 'PUT',
    member: of.owner.token,
    body: {
      ...{ issuer: with_.issuer, client_id: 'constancia', client_secret: 'a-secret', domains: [of.domain] },
      ...{ role_claim: 'groups', role_map: { analysts: 'analyst' }, enforce: false },
      ...body,
    },
  });
}

const membersOf = ({ id }: SsoTenant) =>
  database.query('select email from platform.member where tenant_id = $1 order by id', [id]);

describe('an answer of the provider', () => {
  it('that is right signs in (so that the refusals below are for what they say)', async () => {
    await put(tenant, provider);
    const browser = new SsoBrowser(platform.console);
    expect(await browser.finish(provider.callback(await browser.begin(tenant.slug)))).toBe('signed-in');
    expect(await browser.session()).toMatchObject({ member: { email: `ana@${tenant.domain}`, role: 'analyst' } });
  });

  const now = () => Math.floor(Date.now() / 1_000);
  it.each<[string, (provider: RawProvider) => void, string]>([
    ['for another client', (raw) => (raw.claims.aud = 'another'), 'refused'],
    ['of another issuer', (raw) => (raw.claims.iss = 'https://evil.example'), 'refused'],
    ['with the nonce of another sign-in', (raw) => (raw.claims.nonce = 'x'.repeat(43)), 'refused'],
    ['without a nonce', (raw) => (raw.claims.nonce = undefined), 'refused'],
    ['that has expired', (raw) => (raw.claims.exp = now() - 60), 'refused'],
    ['without an end', (raw) => (raw.claims.exp = undefined), 'refused'],
    ['that begins later', (raw) => (raw.claims.nbf = now() + 600), 'refused'],
    ['with alg none', (raw) => (raw.signing = 'none'), 'refused'],
    ['signed by HS256 with the public key', (raw) => (raw.signing = 'HS256'), 'refused'],
    ['signed with another key', (raw) => (raw.signing = 'another key'), 'refused'],
    ['that was altered', (raw) => (raw.signing = 'altered'), 'refused'],
    ['with an address that is not verified', (raw) => (raw.claims.email_verified = false), 'email_unverified'],
    ['that does not say so', (raw) => (raw.claims.email_verified = undefined), 'email_unverified'],
    ['that says so as a text', (raw) => (raw.claims.email_verified = 'true'), 'email_unverified'],
    ['with an address of another domain', (raw) => (raw.claims.email = 'ana@elsewhere.example'), 'foreign_domain'],
    ['with one of a subdomain', (raw) => (raw.claims.email = `ana@mail.${tenant.domain}`), 'foreign_domain'],
    ['with two at-signs', (raw) => (raw.claims.email = `ana@elsewhere.example@${tenant.domain}`), 'no_email'],
    ['with a look-alike letter', (raw) => (raw.claims.email = `an\u0430@${tenant.domain}`), 'no_email'],
    ['without an address', (raw) => (raw.claims.email = undefined), 'no_email'],
    ['of the token endpoint that refuses the code', (raw) => (raw.tokenStatus = 400), 'refused'],
    ['of the token endpoint that fails', (raw) => (raw.tokenStatus = 503), 'unavailable'],
  ])('%s signs nobody in and changes nothing', async (_name, tamper, failure) => {
    await put(tenant, provider);
    const before = await membersOf(tenant);
    provider.userinfo = { sub: 'subject-1' };
    tamper(provider);
    const browser = new SsoBrowser(platform.console);
    expect(await browser.finish(provider.callback(await browser.begin(tenant.slug)))).toBe(failure);
    expect(await browser.session()).toBeNull();
    expect(await membersOf(tenant)).toEqual(before);
  });

  it('is of the issuer that was asked: another one in `iss`, or none, is refused before the code is sent anywhere', async () => {
    await put(tenant, provider);
    for (const iss of ['https://evil.example', undefined]) {
      const browser = new SsoBrowser(platform.console);
      expect(await browser.finish(provider.callback(await browser.begin(tenant.slug), { iss }))).toBe('refused');
    }
    expect(provider.tokenCalls).toBe(0);
  });

  it('is about the subject of the ID token, also at the UserInfo endpoint', async () => {
    provider.claims = { email: undefined };
    await put(tenant, provider);
    provider.claims = { email: undefined, groups: 'analysts' };
    provider.userinfo = { sub: 'somebody-else', email: `ana@${tenant.domain}`, email_verified: true };
    const browser = new SsoBrowser(platform.console);
    expect(await browser.finish(provider.callback(await browser.begin(tenant.slug)))).toBe('refused');
    provider.userinfo.sub = 'subject-1';
    expect(await browser.finish(provider.callback(await browser.begin(tenant.slug)))).toBe('signed-in');
  });

  it('may say at UserInfo that the address is verified, of that very address', async () => {
    provider.claims = { email_verified: undefined };
    await put(tenant, provider);
    provider.userinfo = { sub: 'subject-1', email: `eva@${tenant.domain}`, email_verified: true };
    const browser = new SsoBrowser(platform.console);
    const signIn = async () => browser.finish(provider.callback(await browser.begin(tenant.slug)));
    expect(await signIn()).toBe('email_unverified');
    provider.userinfo.email = `ana@${tenant.domain}`;
    expect(await signIn()).toBe('signed-in');
    expect(await browser.session()).toMatchObject({ member: { email: `ana@${tenant.domain}` } });
  });

  it('comes with PKCE also from a provider that does not announce it, as OpenID Connect does not ask it to', async () => {
    provider.metadata.code_challenge_methods_supported = undefined;
    expect((await put(tenant, provider)).status).toBe(200);
    const browser = new SsoBrowser(platform.console);
    const asked = await browser.begin(tenant.slug);
    expect(new URL(asked).searchParams.get('code_challenge_method')).toBe('S256');
    expect(await browser.finish(provider.callback(asked))).toBe('signed-in');
    provider.claims.nonce = 'x'.repeat(43);
    expect(await browser.finish(provider.callback(await browser.begin(tenant.slug)))).toBe('refused');
  });

  it('is counted, and a failure by its reason', async () => {
    const counted = async (sample: string) => {
      const text = await platform.app.get(Metrics, { strict: false }).text();
      const line = text.split('\n').find((one) => one.startsWith(sample));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const all = () =>
      Promise.all(
        [
          'member_sign_ins_total{method="sso",outcome="ok"',
          'member_sign_ins_total{method="sso",outcome="failed"',
          'sso_failures_total{reason="foreign_domain"',
        ].map(counted),
      );
    await put(tenant, provider);
    const before = await all();
    const browser = new SsoBrowser(platform.console);
    await browser.finish(provider.callback(await browser.begin(tenant.slug)));
    provider.claims.email = 'ana@elsewhere.example';
    await browser.finish(provider.callback(await browser.begin(tenant.slug)));
    expect(await all()).toEqual(before.map((count) => count + 1));
  });

  it('that the person was refused is said so', async () => {
    await put(tenant, provider);
    const browser = new SsoBrowser(platform.console);
    const back = provider.callback(await browser.begin(tenant.slug), { code: undefined, error: 'access_denied' });
    expect(await browser.finish(back)).toBe('denied');
  });
});

describe('a sign-in', () => {
  it('is finished by the browser that began it, and by no other', async () => {
    await put(tenant, provider);
    const [browser, other] = [new SsoBrowser(platform.console), new SsoBrowser(platform.console)];
    const back = provider.callback(await browser.begin(tenant.slug));
    await other.begin(tenant.slug);
    expect(await other.finish(back)).toBe('expired');
    expect(await new SsoBrowser(platform.console).finish(back)).toBe('expired');
    expect(provider.tokenCalls).toBe(0);
    expect(await browser.finish(back)).toBe('signed-in');
  });

  it('is finished once: of 16 callbacks at once one opens a session, and a later one none', async () => {
    await put(tenant, provider);
    const browser = new SsoBrowser(platform.console);
    const back = provider.callback(await browser.begin(tenant.slug));
    const copies = Array.from({ length: 16 }, () => {
      const copy = new SsoBrowser(platform.console);
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
      return copy;
    });
    const outcomes = await Promise.all(copies.map((copy) => copy.finish(back)));
    expect(outcomes.filter((outcome) => outcome === 'signed-in')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'expired')).toHaveLength(15);
    expect(await browser.finish(back)).toBe('expired');
    expect(provider.tokenCalls).toBe(1);
    const sql = `select 1 from platform.member_session where tenant_id = $1 and method = 'sso'`;
    expect(await database.query(sql, [tenant.id])).toHaveLength(1);
  });

  it('ends after ten minutes, and when the settings change', async () => {
    await put(tenant, provider);
    const browser = new SsoBrowser(platform.console);
    const late = provider.callback(await browser.begin(tenant.slug));
    await database.query(`update platform.sso_attempt set expires_at = now() - interval '1 s' where tenant_id = $1`, [
      tenant.id,
    ]);
    expect(await browser.finish(late)).toBe('expired');
    const changed = provider.callback(await browser.begin(tenant.slug));
    await put(tenant, provider);
    expect(await browser.finish(changed)).toBe('expired');
  });

  it('of one tenant ends at no other: each provider signs in to its own', async () => {
    const victim = await ssoTenant(database, platform);
    const evil = await RawProvider.start();
    await put(victim, provider);
    evil.claims = { email: `ana@${victim.domain}` };
    await put(tenant, evil, { domains: [victim.domain] });
    const browser = new SsoBrowser(platform.console);
    const back = evil.callback(await browser.begin(tenant.slug));
    const moved = back.replace(`/sso/${tenant.slug}/`, `/sso/${victim.slug}/`);
    const copy = new SsoBrowser(platform.console);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect(await copy.finish(moved)).toBe('expired');
    expect(await browser.finish(back)).toBe('signed-in');
    const { body } = await browser.call('GET', '/console/session');
    expect(body).toMatchObject({ tenant: { id: tenant.id } });
    expect(await membersOf(victim)).toHaveLength(2);
    await evil.close();
  });

  it('is begun by a page of this host alone, and leads to nowhere that the request names', async () => {
    await put(tenant, provider);
    const browser = new SsoBrowser(platform.console);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { status } = await browser.call('POST', '/console/sso', { slug: tenant.slug }, { 'sec-fetch-site': site });
      expect(status, site).toBe(403);
    }
    const back = provider.callback(await browser.begin(tenant.slug));
    const { location, set } = await browser.call(
      'GET',
      `${back}&redirect=https://evil.example&return_to=//evil.example`,
    );
    expect(location).toBe('/login');
    expect(set.find((line) => line.startsWith('constancia_console='))).toMatch(/HttpOnly; SameSite=Strict$/);
    expect(set.find((line) => line.startsWith('constancia_sso='))).toMatch(/^constancia_sso=; .*Max-Age=0/);
  });

  it('keeps its cookie from scripts and other sites’ requests, but not from the way back', async () => {
    await put(tenant, provider);
    const browser = new SsoBrowser(platform.console);
    const { set } = await browser.call('POST', '/console/sso', { slug: tenant.slug });
    expect(set).toEqual([
      expect.stringMatching(/^constancia_sso=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('asks the provider for a code with PKCE, and stores nothing that could finish it', async () => {
    await put(tenant, provider);
    const browser = new SsoBrowser(platform.console);
    const asked = new URL(await browser.begin(tenant.slug));
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'constancia',
      code_challenge_method: 'S256',
      redirect_uri: tenant.redirectUri,
      scope: 'openid email profile',
    });
    const rows = await database.query('select * from platform.sso_attempt where tenant_id = $1', [tenant.id]);
    const stored = JSON.stringify(rows);
    for (const secret of [asked.searchParams.get('state'), asked.searchParams.get('nonce')]) {
      expect(stored).not.toContain(secret);
    }
  });

  it('answers the same for a tenant that does not exist and for one without a provider', async () => {
    const browser = new SsoBrowser(platform.console);
    const [none, unknown] = await Promise.all(
      [tenant.slug, 't-nobody'].map((slug) => browser.call('POST', '/console/sso', { slug })),
    );
    const plain = (answer: typeof none) => ({ ...answer?.body, request_id: '' });
    expect([none?.status, plain(none)]).toEqual([404, plain(unknown)]);
    expect(unknown?.status).toBe(404);
  });
});
