import { createHash, randomBytes } from 'node:crypto';
import {
  checkedFetch,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import type { ConfigurationImportView } from '@constancia/tenant-export';
import type { Answer, Problem } from '@constancia/testing/calls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foreignArchive } from '../../../../libs/tenant-export/src/configuration/foreign-archive.fixture.ts';
import { FlowCaller, runningIdentity, type RunningIdentity } from '../identity/running-identity.fixture.ts';

const ELSEWHERE = randomBytes(32).toString('base64');
const PATH = '/v1/configuration';
const FLOW = 'flows/onboarding.default.json';

let store: TestDatabase;
let platform: RunningIdentity;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

interface Caller {
  key?: string;
  member?: string;
}

const sent = <Body = ConfigurationImportView>(caller: Caller, body: Buffer, query = ''): Promise<Answer<Body>> =>
  platform.call<Body>(`${PATH}/imports${query}`, { ...caller, body, headers: { 'content-type': 'application/zip' } });

async function exported(key: string): Promise<Buffer> {
  const fetchChecked = checkedFetch({ platform: platform.url });
  const answer = await fetchChecked(`${platform.url}${PATH}`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('configuration-key')).toMatch(/^[\w-]{43}$/);
  return Buffer.from(await answer.arrayBuffer());
}

async function seeded(): Promise<TestTenant> {
  const tenant = await testTenant(store);
  await new FlowCaller(platform, tenant, store).seed();
  return tenant;
}

const endpointFile = (url: string, module?: string): [string, string] => {
  const name = module ? `module-${module}` : `${createHash('sha256').update(url).digest('hex').slice(0, 16)}-00`;
  const content = { ...(module ? { module } : { modules: ['seal'] }), url, event_types: [] };
  return [`webhook-endpoints/${name}.json`, JSON.stringify(content)];
};

const STEPS = [{ step_type: 'consent' }, { step_type: 'document_upload', config: { max_attempts: 5 } }];
const flow = (steps: object[]) => JSON.stringify({ type: 'onboarding', code: 'default', steps });

it('publishes a flow that differs as the next version, and says what differs and who signed', async () => {
  const { apiKey: key } = await seeded();
  const zip = await foreignArchive(await exported(key), 'platform', ELSEWHERE, { [FLOW]: flow(STEPS) });
  const { body } = await sent({ key }, zip, '?dry_run=true');
  expect(body).toMatchObject({ dry_run: true, signed_by: { key: 'unknown', issuer: 'https://elsewhere.example' } });
  expect(body.changes).toMatchObject([{ file: `platform/${FLOW}`, action: 'update', references: [] }]);
  expect(body.changes[0]?.differences).toContainEqual({
    ...{ pointer: '/steps/1/config/max_attempts', before: '3', after: '5' },
  });
  expect((await sent({ key }, zip)).body.changes).toMatchObject([{ action: 'update' }]);
  const flows = await platform.call<{ data: object[] }>('/v1/flows', { key });
  expect(flows.body.data).toMatchObject([
    { version: 2, status: 'published', steps: [{ step_type: 'consent' }, { config: { max_attempts: 5 } }] },
    { version: 1, status: 'deprecated' },
  ]);
  expect((await sent({ key }, zip)).body.changes).toMatchObject([{ action: 'unchanged', differences: [] }]);
});

it('redirects no event: an endpoint is created disabled, and the one of a module keeps its address', async () => {
  const { id, apiKey: key } = await seeded();
  const at = (module: string) => `/tenants/${id}/webhook-endpoints/${module}`;
  await platform.call(at('seal'), { method: 'PUT', key, body: { url: 'http://127.0.0.1:9/production' } });
  const zip = await foreignArchive(await exported(key), 'platform', ELSEWHERE, {
    ...Object.fromEntries([
      endpointFile('http://127.0.0.1:9/sandbox', 'seal'),
      endpointFile('http://127.0.0.1:9/sandbox', 'identity'),
      endpointFile('http://127.0.0.1:9/own'),
    ]),
  });
  const { body } = await sent({ key }, zip);
  const found = body.changes.filter(({ file }) => file.includes('webhook-endpoints'));
  expect(found.map(({ file, action }) => [file.includes('module-seal'), action]).sort()).toEqual([
    [false, 'create'],
    [false, 'create'],
    [true, 'conflict'],
  ]);
  expect(found.filter(({ secret }) => secret?.startsWith('whsec_'))).toHaveLength(1);
  const shown = async (module: string) => (await platform.call(at(module), { key })).body;
  expect(await shown('seal')).toMatchObject({ url: 'http://127.0.0.1:9/production', enabled: true });
  expect(await shown('identity')).toMatchObject({ url: 'http://127.0.0.1:9/sandbox', enabled: false });
  const audited = await store.query<{ type: string }>(
    `select type from platform.audit_entry where tenant_id = $1 and type in ('configuration.imported', 'webhook_endpoint.created')
      order by seq offset 1`,
    [id],
  );
  expect(audited.map(({ type }) => type)).toEqual([
    ...['webhook_endpoint.created', 'webhook_endpoint.created', 'configuration.imported'],
  ]);
});

it('refuses what the API would refuse, everything at once and with nothing changed', async () => {
  const { apiKey: key } = await seeded();
  const original = await exported(key);
  const archive = (changes: Record<string, string>) => foreignArchive(original, 'platform', ELSEWHERE, changes);
  const faults = async (zip: Buffer) => {
    const { status, body } = await sent<Problem>({ key }, zip);
    expect(status).toBe(400);
    return body.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  const [, moved] = endpointFile('http://127.0.0.1:9/moved', 'seal');
  const [own, ownContent] = endpointFile('http://127.0.0.1:9/own');
  const misnamed = { 'webhook-endpoints/module-seal2.json': moved, [own.replace('-00', '-0x')]: ownContent };
  expect(await faults(await archive(misnamed))).toEqual([
    `/platform/${own.replace('-00', '-0x')}/url not_allowed`,
    '/platform/webhook-endpoints/module-seal2.json/module not_allowed',
  ]);
  const [privateFile, privateContent] = endpointFile('http://10.0.0.1/hooks');
  const steps = [{ step_type: 'consent', config: { purpose: [] } }, { step_type: 'sarlaft' }];
  const other = { 'flows/x.y.json': JSON.stringify({ type: 'x', code: 'z', steps: STEPS }), 'flows/broken.json': '{' };
  expect(await faults(await archive({ [FLOW]: flow(steps), ...other }))).toEqual([
    '/platform/flows/broken.json wrong_format',
    `/platform/${FLOW}/steps/0/config/purpose unknown_member`,
    `/platform/${FLOW}/steps/1 wrong_order`,
    '/platform/flows/x.y.json/code not_allowed',
  ]);
  expect(await faults(await archive({ [privateFile]: privateContent, [FLOW]: flow(STEPS) }))).toEqual([
    expect.stringMatching(`^/platform/${privateFile}/url `),
  ]);
  expect(await faults(Buffer.from('no zip'))).toEqual([' wrong_format']);
  const json = await platform.call(`${PATH}/imports`, { key, body: {} });
  expect(json.status).toBe(415);
  expect((await sent({ key }, original)).body.changes).toMatchObject([{ action: 'unchanged' }]);
});

it('is for members who may change these things one by one', async () => {
  const { id, apiKey: key } = await seeded();
  const zip = await exported(key);
  for (const [role, reads, writes] of [
    ['developer', 200, 200],
    ['auditor', 200, 403],
    ['supervisor', 403, 403],
    ['sender', 403, 403],
  ] as const) {
    const { token: member } = await testMember(store, id, role);
    expect([role, (await platform.call(PATH, { member })).status, (await sent({ member }, zip)).status]).toEqual([
      ...[role, reads, writes],
    ]);
  }
});
