import { sleep, typeId } from '@constancia/kernel';
import { testMember, type TestMember, type TestStack } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inStore, type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';

const SECOND = 1_000;

let stack: TestStack;
let integrator: Integrator;
let owner: TestMember;

beforeAll(async () => {
  stack = await startDeployment({
    env: { ...NO_LIMITS, RATE_LIMIT_WRONG_KEY: '1000000' },
    apps: ['platform', 'compliance', 'signing'],
  });
});
beforeEach(async () => {
  integrator = await signUp(stack);
  owner = await member('owner');
});
afterAll(async () => {
  await stack?.close();
});

const store = { query: <Row>(sql: string, params?: unknown[]) => inStore<Row>(stack, sql, params) };
const member = (role: 'owner' | 'auditor') => testMember(store, integrator.tenantId, role);

/** What each of the three processes answers to a credential. */
function statuses(headers: Record<string, string>): Promise<number[]> {
  const addresses = [
    `${stack.baseUrl}/v1/billing/balance`,
    `${stack.complianceUrl}/v1/cases`,
    `${stack.signingUrl}/v1/templates`,
  ];
  return Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address, { headers });
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

/** How long after now the last request began that any of them accepted, in milliseconds. */
async function lastAccepted(headers: Record<string, string>): Promise<number> {
  const start = performance.now();
  for (let accepted = 0; performance.now() - start < 5 * SECOND; await sleep(20)) {
    const begun = performance.now() - start;
    const seen = await statuses(headers);
    if (seen.every((status) => status === 401)) return accepted;
    if (seen.includes(200)) accepted = begun;
  }
  return Infinity;
}

async function call(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const response = await fetch(`${stack.baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${owner.token}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
}

describe('platform, compliance and signing, three processes that remember the credential, refuse within a second', () => {
  it.each<[string, (of: TestMember) => Promise<unknown>]>([
    ['a suspended member', ({ id }) => call('PATCH', `/v1/members/${typeId('mbr', id)}`, { status: 'suspended' })],
    [
      'a member whose session was revoked',
      ({ id, sessionId }) => call('DELETE', `/v1/members/${typeId('mbr', id)}/sessions/${typeId('mss', sessionId)}`),
    ],
  ])('%s', async (_, end) => {
    const auditor = await member('auditor');
    const headers = { Authorization: `Bearer ${auditor.token}` };
    expect(await statuses(headers)).toEqual([200, 200, 200]);
    await end(auditor);
    expect(await lastAccepted(headers)).toBeLessThan(SECOND);
  });

  it.each<[string, (path: string) => Promise<unknown>, object?]>([
    ['a deleted key', (path) => call('DELETE', path)],
    ['a key outside its networks', (path) => call('PATCH', path, { allowed_cidrs: ['192.0.2.0/24'] })],
  ])('%s', async (_, end) => {
    const key = await call('POST', '/v1/api-keys', {
      name: 'ERP',
      scopes: ['billing:read', 'compliance:read', 'signing:read'],
    });
    const headers = { 'X-API-Key': key.api_key as string };
    expect(await statuses(headers)).toEqual([200, 200, 200]);
    await end(`/v1/api-keys/${key.id}`);
    expect(await lastAccepted(headers)).toBeLessThan(SECOND);
  });

  it('an expired key', async () => {
    const end = Date.now() + 3 * SECOND;
    const key = await call('POST', '/v1/api-keys', {
      name: 'ERP',
      scopes: ['billing:read', 'compliance:read', 'signing:read'],
      expires_at: new Date(end).toISOString(),
    });
    const headers = { 'X-API-Key': key.api_key as string };
    expect(await statuses(headers)).toEqual([200, 200, 200]);
    await sleep(end - Date.now());
    expect(await lastAccepted(headers)).toBeLessThan(SECOND);
  });
});
