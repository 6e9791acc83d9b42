import { generateApiKey } from '@constancia/auth';
import { type Role, ROLE_SCOPES, type Scope, SCOPES } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import { ContractChecker, ContractDocument, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';
import { runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';
import { type App, documentedOperations, type Operation } from './fuzz/operations.ts';

/** What the scope check answers, and nothing else does. */
const NEEDS_SCOPE = /^This operation needs the scope (.+), which this API key does not have\.$/;
const IN_GRACE = /is in its grace period, in which it has lost the scope/;
/** A key in its grace repeats its own rotation. */
const ALLOWED_IN_GRACE = ['rotateApiKey', 'rotateApiKeyById'];
const LOST_IN_GRACE: Scope[] = ['keys:write', 'members:write'];
const LIMITS = { RATE_LIMIT_TENANT: '1000000', RATE_LIMIT_TENANT_TOTAL: '1000000', RATE_LIMIT_IP: '1000000', RATE_LIMIT_WRONG_KEY: '1000000' }; // prettier-ignore
const AT_ONCE = 16;

interface Checked extends Operation {
  /** As the description states them: one of them is needed, or all; none: any key of the tenant. */
  scopes: Scope[];
  every: boolean;
}

type Stated = Record<string, Record<string, { 'x-scope'?: Scope[]; 'x-every-scope'?: true; security?: object[] }>>;
const DOCUMENTED_OPERATIONS = documentedOperations();
const STATED = new Map(
  [...new Set(DOCUMENTED_OPERATIONS.map(({ app }) => app))].map(
    (app) => [app, ContractDocument.load(app).root.paths as Stated] as const,
  ),
);
const stated = ({ app, path, method }: Operation) => STATED.get(app)?.[path]?.[method.toLowerCase()];

const OPERATIONS: Checked[] = DOCUMENTED_OPERATIONS.flatMap((operation) => {
  const { 'x-scope': scopes, 'x-every-scope': every = false } = stated(operation) ?? {};
  return scopes === undefined ? [] : [{ ...operation, scopes, every }];
});

let store: TestDatabase;
const apps = new Map<App, { url: string; close(): Promise<void> }>();

beforeAll(async () => {
  store = await testDatabase();
  apps.set('platform', await runningPlatform(store, LIMITS));
  apps.set('compliance', await runningCompliance(store, LIMITS));
  apps.set(
    'signing',
    await runningSigning(store, { env: LIMITS, check: (seen) => ContractChecker.of('signing').check(seen) }),
  );
});
afterAll(async () => {
  for (const app of apps.values()) await app.close();
  await store?.drop();
});

async function keyWith(scopes: readonly Scope[], status: 'active' | 'expiring' = 'active'): Promise<string> {
  const tenant = await testTenant(store); // some operations have a limit per tenant
  const { plaintext, hash, prefix } = generateApiKey('sandbox');
  await store.query(
    `insert into platform.api_key (id, tenant_id, key_hash, prefix, status, expires_at, name, scopes)
     values ($1, $2, $3, $4, $5, case when $5 = 'expiring' then now() + interval '1 hour' end, 'x', $6)`,
    [uuidv7(), tenant.id, hash, prefix, status, scopes],
  );
  return plaintext;
}

/** Why a request was refused by the scope check; null when it was not. The ids are nobody's: what is allowed ends as 400 or 404, or does nothing. */
async function refusal(operation: Checked, key: string): Promise<string | null> {
  const takesJson = operation.bodies.has('application/json');
  const response = await fetch(`${apps.get(operation.app)?.url}${operation.path.replace(/\{\w+\}/g, 'x')}`, {
    method: operation.method,
    headers: { 'x-api-key': key, ...(takesJson && { 'content-type': 'application/json' }) },
    ...(takesJson && { body: '{}' }),
    redirect: 'manual',
  });
  const text = await response.text();
  expect(response.status, `${operation.operationId}: ${text}`).not.toBe(401);
  expect(response.status, `${operation.operationId}: ${text}`).not.toBe(429);
  if (response.status !== 403) return null;
  const { detail } = JSON.parse(text) as { detail: string };
  return NEEDS_SCOPE.test(detail) || IN_GRACE.test(detail) ? detail : null;
}

/** What of all operations was answered otherwise than the descriptions say. */
async function differences(scopes: readonly Scope[], operations = OPERATIONS): Promise<string[]> {
  const key = await keyWith(scopes);
  const wrong: string[] = [];
  await inTurns(operations, async (operation) => {
    const missing = operation.scopes.filter((scope) => !scopes.includes(scope));
    const isAllowed = missing.length === 0 || (!operation.every && missing.length < operation.scopes.length);
    const refused = await refusal(operation, key);
    const named = refused === null ? null : NEEDS_SCOPE.exec(refused)?.[1];
    const needed = operation.every ? missing.join(' and ') : operation.scopes.join(' or ');
    const expected = isAllowed ? null : needed;
    if (named !== expected) wrong.push(`${operation.operationId}: ${named ?? 'allowed'} instead of ${expected ?? 'allowed'}`);
  }); // prettier-ignore
  return wrong;
}

async function inTurns(operations: Checked[], run: (operation: Checked) => Promise<void>): Promise<void> {
  const left = [...operations];
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) await run(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

it('every operation that needs a principal states its scope in the description', () => {
  const keyed = DOCUMENTED_OPERATIONS.filter((operation) =>
    stated(operation)?.security?.some((one) => 'ApiKey' in one),
  );
  expect(keyed.filter((operation) => stated(operation)?.['x-scope'] === undefined)).toEqual([]);
  expect(OPERATIONS).toHaveLength(keyed.length);
  expect(OPERATIONS.length).toBeGreaterThan(100);
  expect(new Set(OPERATIONS.map(({ app }) => app)).size).toBe(3);
});

describe('on every operation of the three hosts', () => {
  it.each(SCOPES)('a key with the scope %s alone is let in where the description says so, and nowhere else', async (scope) => {
    expect(await differences([scope])).toEqual([]);
  }, 60_000); // prettier-ignore

  it.each(Object.keys(ROLE_SCOPES) as Role[])('the scopes of the role %s open what the description says, and nothing else', async (role) => {
    expect(await differences(ROLE_SCOPES[role])).toEqual([]);
  }, 60_000); // prettier-ignore

  it('a key without a scope is let in only where any key of the tenant is', async () => {
    expect(await differences([])).toEqual([]);
  }, 60_000);

  it('a key in its grace keeps its scopes but those about keys and members', async () => {
    const key = await keyWith(SCOPES, 'expiring');
    const wrong: string[] = [];
    await inTurns(OPERATIONS, async (operation) => {
      const isLost = operation.scopes.length > 0 && operation.scopes.every((scope) => LOST_IN_GRACE.includes(scope));
      const expected = isLost && !ALLOWED_IN_GRACE.includes(operation.operationId);
      if (((await refusal(operation, key)) !== null) !== expected) wrong.push(operation.operationId);
    });
    expect(wrong).toEqual([]);
    expect(OPERATIONS.some(({ operationId }) => operationId === 'createApiKey')).toBe(true);
  }, 60_000);

  it('a description that states another scope than the server enforces is found', async () => {
    const stating = (operationId: string, scopes: Scope[]): Checked => ({
      ...(OPERATIONS.find((operation) => operation.operationId === operationId) as Checked),
      scopes,
    });
    const forged = [stating('showLedger', ['webhooks:read']), stating('listEvents', ['billing:read']), stating('showBalance', ['billing:read'])]; // prettier-ignore
    expect((await differences(['billing:read'], forged)).sort()).toEqual([
      'listEvents: webhooks:read instead of allowed',
      'showLedger: allowed instead of webhooks:read',
    ]);
  });
});
