import {
  generateApiKey,
  generateCheckedToken,
  generateMemberToken,
  generateOwnerProofToken,
  generateRecoveryToken,
  hashSecret,
} from '@constancia/auth';
import { listenForOperators, listenForPages } from '@constancia/http';
import { randomSecret43, sleep, uuidOf, uuidv7 } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testMember, testTenant } from '@constancia/testing';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCompliance, runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import {
  FlowCaller,
  runningIdentity,
  type RunningIdentity,
  type Session,
} from '../../apps/platform/src/identity/running-identity.fixture.ts';
import { TokenKeys } from '../../apps/platform/src/identity/token-keys/token-keys.ts';
import { keepIn, newWallet, signedInPerson } from '../../apps/platform/src/identity/wallet/signed-in-person.fixture.ts';
import { openIdTokens } from '../../apps/platform/src/identity/oidc/openid-tokens.fixture.ts';
import { type RunningSigning, runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';

/** Every class of credential on a route of every class, in every place where a credential can stand: only what belongs together passes. */

const CLASSES = [
  'key',
  'member',
  'session',
  'capture',
  'embed',
  'embed-access',
  'recovery',
  'owner-proof',
  'console',
  'operator',
  'wallet',
  'openid',
  'openid-api',
  'id-token',
] as const;
type Class = (typeof CLASSES)[number];

const OPERATOR_TOKEN = randomBytes(32).toString('base64url');
const COOKIE = 'constancia_console';

let store: TestDatabase;
let platform: RunningIdentity;
let compliance: RunningCompliance;
let signing: RunningSigning;
let consoleUrl: string;
let personUrl: string;
/** Of one person for all tests: a wallet costs calls of KMS, and belongs to no tenant. Each subject has a session of its own. */
let walletId: string;
let ops: Awaited<ReturnType<typeof listenForOperators>>;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store, { RATE_LIMIT_SIGNUP: '100000', RATE_LIMIT_WRONG_KEY: '100000' });
  compliance = await runningCompliance(store, { RATE_LIMIT_WRONG_KEY: '100000' });
  signing = await runningSigning(store, {
    env: { RATE_LIMIT_WRONG_KEY: '100000' },
    check: (seen) => ContractChecker.of('signing').check(seen),
  });
  consoleUrl = `http://127.0.0.1:${await listenForPages(platform.app)}`;
  personUrl = `http://127.0.0.1:${await listenForPages(platform.app, 0, '127.0.0.1', 'person')}`;
  ops = await listenForOperators(platform.app, { token: OPERATOR_TOKEN });
  walletId = await newWallet(platform, store);
});
afterAll(async () => {
  await ops?.close();
  await signing?.close();
  await compliance?.close();
  await platform?.close();
  await store?.drop();
});

interface Subject {
  tenantId: string;
  flowSessionId: string;
  /** Of the session whose verification the person keeps. */
  subjectId: string;
  credentials: Record<Class, string>;
}

/** A tenant with a credential of every class. */
async function subject(): Promise<Subject> {
  const tenant = await testTenant(store, { verified: false });
  const flows = new FlowCaller(platform, tenant, store);
  await flows.seed();
  const session = (await flows.open({ hosted: true })) as Session & { capture_url: string };
  const kept = await flows.open();
  await keepIn(store, walletId, kept);
  const owner = await testMember(store, tenant.id, 'owner');
  const [recovery, proof] = [generateRecoveryToken(), generateOwnerProofToken()];
  const cookie = randomBytes(32).toString('base64url');
  await store.query(
    `insert into platform.recovery_token (token_hash, tenant_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
    [recovery.hash, tenant.id],
  );
  await store.query(
    `insert into platform.owner_proof (token_hash, tenant_id, expires_at) values ($1, $2, now() + interval '1 day')`,
    [proof.hash, tenant.id],
  );
  await store.query('update platform.member_session set token_hash = $2 where id = $1', [
    owner.sessionId,
    hashSecret(cookie),
  ]);
  const [embed, access] = [generateCheckedToken('emt_'), generateCheckedToken('ema_')];
  await store.query(
    `insert into identity.embed_session (id, tenant_id, kind, target_id, token_hash, allowed_origins, theme, metadata,
            expires_at, exchanged_at, access_hash, access_used_at)
     values ($1, $2, 'flow', $3, $4, '{https://shop.example}', '{}', '{}', now() + interval '1 hour', now(), $5, now())`,
    [uuidv7(), tenant.id, uuidOf('fls', session.id), embed.hash, access.hash],
  );
  return {
    tenantId: tenant.id,
    flowSessionId: session.id,
    subjectId: kept.subject_id,
    credentials: {
      key: tenant.apiKey,
      member: owner.token,
      session: session.session_token as string,
      capture: session.capture_url.split('#')[1] as string,
      embed: embed.plaintext,
      'embed-access': access.plaintext,
      recovery: recovery.plaintext,
      'owner-proof': proof.plaintext,
      console: cookie,
      operator: OPERATOR_TOKEN,
      wallet: await signedInPerson(platform, store, walletId),
      ...(await openIdTokens(platform, store, { tenantId: tenant.id, walletId })),
    },
  };
}

/** Where a credential can stand in a request. */
const PLACES = {
  'X-API-Key': (text: string) => ({ headers: { 'x-api-key': text } }),
  Bearer: (text: string) => ({ headers: { authorization: `Bearer ${text}` } }),
  cookie: (text: string) => ({ headers: { cookie: `${COOKIE}=${text}`, 'sec-fetch-site': 'same-origin' } }),
  body: (text: string) => ({ body: { token: text } }),
  /** Where the path of a route holds a credential (RouteClass.inPath). */
  path: () => ({}),
} satisfies Record<string, (text: string) => { headers?: Record<string, string>; body?: object }>;
type Place = keyof typeof PLACES;

/** Ends every credential of a tenant but the operator's and the flow session's, as the product does. */
async function end({ tenantId, credentials }: Subject): Promise<void> {
  const rotated = await fetch(`${platform.url}/tenants/${tenantId}/rotate-api-key`, {
    method: 'POST',
    headers: { 'x-api-key': credentials.key, 'content-type': 'application/json' },
    body: JSON.stringify({ grace_seconds: 0 }),
  });
  expect(rotated.status).toBe(200);
  await store.query('delete from platform.member_session where tenant_id = $1', [tenantId]);
  for (const table of ['recovery_token', 'owner_proof']) {
    await store.query(`update platform.${table} set expires_at = now() - interval '1 s' where tenant_id = $1`, [
      tenantId,
    ]);
  }
  await store.query('update identity.capture_token set ended_at = now() where tenant_id = $1', [tenantId]);
  await store.query('update identity.embed_session set revoked_at = now() where tenant_id = $1', [tenantId]);
  await store.query('update identity.wallet_session set ended_at = now()');
  await store.query('delete from identity.oidc_client where tenant_id = $1', [tenantId]);
  await sleep(1_000); // until every host has forgotten them
}

interface RouteClass {
  name: string;
  url: (of: Subject) => string;
  method?: 'POST';
  /** Its address with a credential in the path. */
  inPath?: (credential: string) => string;
  /** What it takes, and where. */
  takes: [Class, Place][];
}

const embedRoute = (token: string, route: string) =>
  `${personUrl}/v1/embed/sessions/${encodeURIComponent(token)}/${route}`;
const KEY_OR_MEMBER: RouteClass['takes'] = [['key', 'X-API-Key'], ['member', 'Bearer']]; // prettier-ignore
const ROUTES: RouteClass[] = [
  { name: 'the platform', url: () => `${platform.url}/v1/billing/balance`, takes: KEY_OR_MEMBER },
  { name: 'compliance', url: () => `${compliance.url}/v1/cases`, takes: KEY_OR_MEMBER },
  { name: 'signing', url: () => `${signing.url}/v1/templates`, takes: KEY_OR_MEMBER },
  {
    name: 'a flow session',
    url: ({ flowSessionId }) => `${platform.url}/v1/flows/sessions/${flowSessionId}`,
    takes: [...KEY_OR_MEMBER, ['session', 'Bearer']],
  },
  {
    name: 'the subject that a person is',
    url: ({ subjectId }) => `${platform.url}/v1/kyc/subjects/${subjectId}`,
    takes: [...KEY_OR_MEMBER, ['openid-api', 'Bearer']],
  },
  {
    name: 'the rotation of the default key',
    url: ({ tenantId }) => `${platform.url}/tenants/${tenantId}/rotate-api-key`,
    method: 'POST',
    takes: [...KEY_OR_MEMBER, ['recovery', 'Bearer']],
  },
  {
    name: 'the proof of an owner’s address',
    url: ({ tenantId }) => `${platform.url}/tenants/${tenantId}/owner-email/proof`,
    method: 'POST',
    takes: [['owner-proof', 'body']],
  },
  { name: 'the console', url: () => `${consoleUrl}/console/session`, takes: [['console', 'cookie']] },
  { name: 'the capture page', url: () => `${personUrl}/capture/state`, takes: [['capture', 'Bearer']] },
  {
    name: 'an embed session',
    url: () => embedRoute('x', 'state'),
    inPath: (token) => embedRoute(token, 'state'),
    takes: [['embed', 'path']],
  },
  {
    name: 'the frame of an embed session',
    url: ({ credentials }) => embedRoute(credentials.embed, 'capture/state'),
    inPath: (token) => embedRoute(token, 'capture/state'),
    takes: [['embed-access', 'Bearer']],
  },
  { name: 'a wallet', url: () => `${platform.url}/v1/wallet/me`, takes: [['wallet', 'Bearer']] },
  {
    name: 'an application’s person',
    url: () => `${platform.url}/v1/oidc/userinfo`,
    takes: [['openid', 'Bearer']],
  },
  {
    name: 'the operators’ port',
    url: () => `http://127.0.0.1:${ops.port}/ops/tenants`,
    takes: [['operator', 'Bearer']],
  },
];

async function present({ url, method, inPath }: RouteClass, to: Subject, text: string, place: Place): Promise<number> {
  const { headers = {}, body } = PLACES[place](text) as { headers?: Record<string, string>; body?: object };
  const address = place === 'path' ? inPath?.(text) : undefined;
  const response = await fetch(address ?? url(to), {
    method: method ?? 'GET',
    headers: { ...headers, ...(body && method === 'POST' && { 'content-type': 'application/json' }) },
    ...(body && method === 'POST' && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

const REFUSED = [400, 401, 403, 404];
const placesOf = ({ inPath }: RouteClass) =>
  (Object.keys(PLACES) as Place[]).filter((place) => place !== 'path' || inPath !== undefined);
const pairs = (route: RouteClass) =>
  CLASSES.flatMap((cls) => placesOf(route).map((place) => [cls, place] as const)).map(
    ([cls, place]) => [cls, place, route.takes.some(([c, p]) => c === cls && p === place)] as const,
  );

describe.each(ROUTES.map((route) => [route.name, route] as const))('the route of %s', (_, route) => {
  it('takes the credentials of its classes in their places, and nothing else', async () => {
    const seen: string[] = [];
    let own = await subject();
    for (const [cls, place, allowed] of pairs(route)) {
      const status = await present(route, own, own.credentials[cls], place);
      if (status === 200) own = await subject(); // a rotation or a proof uses its credential up
      if (allowed ? status !== 200 : !REFUSED.includes(status)) seen.push(`${cls} as ${place}: ${status}`);
    }
    expect(seen).toEqual([]);
  }, 60_000);

  it('refuses what is forged, has ended, or is of another tenant', async () => {
    const seen: string[] = [];
    const [own, other] = [await subject(), await subject()];
    const forged: Record<Class, string> = {
      key: generateApiKey('sandbox').plaintext,
      member: generateMemberToken().plaintext,
      session: `fst_${randomSecret43()}`,
      capture: generateCheckedToken('cpt_').plaintext,
      embed: generateCheckedToken('emt_').plaintext,
      'embed-access': generateCheckedToken('ema_').plaintext,
      recovery: generateRecoveryToken().plaintext,
      'owner-proof': generateOwnerProofToken().plaintext,
      console: randomBytes(32).toString('base64url'),
      operator: randomBytes(32).toString('base64url'),
      openid: randomSecret43(),
      'openid-api': `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.e30.`,
      'id-token': `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`,
      wallet: `${Buffer.from('{"alg":"none","typ":"wallet-session+jwt"}').toString('base64url')}.e30.`,
    };
    const namesTenant = route.url(own) !== route.url(other);
    for (const [cls, place] of route.takes) {
      const status = await present(route, own, forged[cls], place);
      if (!REFUSED.includes(status)) seen.push(`forged ${cls}: ${status}`);
      if (!namesTenant) continue;
      const foreign = await present(route, own, other.credentials[cls], place);
      if (!REFUSED.includes(foreign)) seen.push(`${cls} of another tenant: ${foreign}`);
    }
    await end(other);
    for (const [cls, place] of route.takes) {
      if (cls === 'operator' || cls === 'session') continue;
      const status = await present(route, other, other.credentials[cls], place);
      if (!REFUSED.includes(status)) seen.push(`ended ${cls}: ${status}`);
    }
    expect(seen).toEqual([]);
  }, 60_000);
});

it('a link of a signer takes no other credential', async () => {
  const { credentials } = await subject();
  for (const text of Object.values(credentials)) {
    const response = await fetch(`${signing.url}/v1/sign/${encodeURIComponent(text)}`);
    expect([404, 400]).toContain(response.status); // 400: longer than any link
  }
});

it('the endpoint that issues credentials takes none of them', async () => {
  const { credentials } = await subject();
  for (const [cls, text] of Object.entries(credentials)) {
    const response = await fetch(`${platform.url}/v1/oidc/credential`, {
      method: 'POST',
      headers: { authorization: `Bearer ${text}`, 'x-api-key': text, 'content-type': 'application/json' },
      body: '{}',
    });
    const { error } = (await response.json()) as { error?: string };
    expect([cls, response.status, error]).toEqual([cls, 401, 'invalid_token']);
  }
});

it('a wallet opens by no token of another class, whichever of our keys signed it and whatever it says', async () => {
  const { credentials } = await subject();
  const claims = JSON.parse(Buffer.from(credentials.wallet.split('.')[1] as string, 'base64url').toString()) as Record<string, string>; // prettier-ignore
  const keys = platform.app.get(TokenKeys, { strict: false });
  const statuses: Record<string, number> = {};
  for (const keySet of ['wallet_session', 'credential', 'status_list', 'openid'] as const) {
    const sign = await keys.signer(keySet);
    for (const typ of [
      'wallet-session+jwt',
      'at+jwt',
      'JWT',
      'dc+sd-jwt',
      'kb+jwt',
      'statuslist+jwt',
      'openid4vci-proof+jwt',
    ]) {
      const token = await sign(typ, claims);
      const headers = { authorization: `Bearer ${token}` };
      statuses[`${keySet} ${typ}`] = (await fetch(`${platform.url}/v1/wallet/me`, { headers })).status;
    }
  }
  const opened = Object.entries(statuses).filter(([, status]) => status !== 401);
  expect(opened).toEqual([['wallet_session wallet-session+jwt', 200]]);
});
