import { randomBytes } from 'node:crypto';
import { checkedFetch, testDatabase, type TestDatabase, testMember, testTenant } from '@constancia/testing';
import { type ConfigurationImportView, ConfigurationKeys } from '@constancia/tenant-export';
import type { Answer, Problem } from '@constancia/testing/calls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foreignArchive } from '../../../../libs/tenant-export/src/configuration/foreign-archive.fixture.ts';
import { seededValidation } from '../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';

const [LISTED, UNLISTED] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const PATH = '/v1/configuration';
const FILE = 'validations/default.json';

let store: TestDatabase;
let compliance: RunningCompliance;

beforeAll(async () => {
  store = await testDatabase();
  compliance = await runningCompliance(store, { CONFIGURATION_TRUSTED_KEYS: new ConfigurationKeys(LISTED).id });
});
afterAll(async () => {
  await compliance?.close();
  await store?.drop();
});

interface Caller {
  key?: string;
  member?: string;
}

const sent = <Body = ConfigurationImportView>(caller: Caller, body: Buffer, query = ''): Promise<Answer<Body>> =>
  compliance.call<Body>(`${PATH}/imports${query}`, { ...caller, body, headers: { 'content-type': 'application/zip' } });

async function exported(key: string): Promise<Buffer> {
  const fetchChecked = checkedFetch({ compliance: compliance.url });
  const answer = await fetchChecked(`${compliance.url}${PATH}`, { headers: { 'x-api-key': key } });
  return Buffer.from(await answer.arrayBuffer());
}

const published = async (key: string) =>
  (await compliance.call<{ data: { version: number; rules: number }[] }>('/v1/validations?status=published', { key }))
    .body.data;

it('takes archives of this deployment and of the keys on its list, and no other', async () => {
  const { apiKey: key } = await testTenant(store);
  await seededValidation(compliance, key);
  const own = await exported(key);
  const taken = async (zip: Buffer) => (await sent({ key }, zip, '?dry_run=true')).body.signed_by.key;
  expect(await taken(own)).toBe('this_deployment');
  expect(await taken(await foreignArchive(own, 'compliance', LISTED))).toBe('listed');
  const { status, body } = await sent<Problem>({ key }, await foreignArchive(own, 'compliance', UNLISTED));
  expect([status, body.errors?.map(({ pointer, code }) => [pointer, code])]).toEqual([
    ...[400, [['/compliance/manifest.jws', 'unknown_key']]],
  ]);
});

it('waits for a second person where two publish, and takes effect when they import it, too', async () => {
  const [source, target] = [await testTenant(store), await testTenant(store)];
  const { apiKey: key } = target;
  await seededValidation(compliance, source.apiKey);
  await seededValidation(compliance, key, { subjectType: 'natural' });
  const settings = { publish_four_eyes: true, monitoring: false };
  await compliance.call('/v1/compliance-settings', { method: 'PUT', key, body: settings });
  const [before] = await published(key);
  const zip = await exported(source.apiKey); // its settings do not require two people: they are a conflict
  const [first, second] = [await testMember(store, target.id, 'admin'), await testMember(store, target.id, 'owner')];
  const actions = async (member: string, query = '') =>
    (await sent({ member }, zip, query)).body.changes.map(({ file, action }) => `${action} ${file}`);

  expect(await actions(first.token)).toEqual([
    ...['conflict compliance/settings/compliance.json', `update compliance/${FILE}`],
  ]);
  expect(await published(key)).toEqual([before]);
  const drafts = await compliance.call<{ data: object[] }>('/v1/validations?status=draft', { key });
  expect(drafts.body.data).toMatchObject([{ version: 2, published_first_by: first.name }]);
  expect(await actions(first.token)).toContain(`waiting compliance/${FILE}`);
  expect((await compliance.call<{ data: object[] }>('/v1/validations?status=draft', { key })).body.data).toHaveLength(
    1,
  );

  expect(await actions(second.token)).toContain(`update compliance/${FILE}`);
  expect(await published(key)).toMatchObject([{ version: 2 }]);
  expect(await actions(second.token)).toContain(`unchanged compliance/${FILE}`);
});

it('lints the rules of an archive, and imports nothing of one with errors', async () => {
  const { apiKey: key } = await testTenant(store);
  await seededValidation(compliance, key);
  const definition = { nodes: [{ id: 'a', type: 'action', decision: 'reject' }], edges: [{ from: 'a', to: 'b' }] };
  const rule = { code: 'R-1', severity: 'reject', score: 1, subject_type: 'both', definition, legal_basis: 'x' };
  const zip = await foreignArchive(await exported(key), 'compliance', LISTED, {
    [FILE]: JSON.stringify({ code: 'default', name: 'Reglas', rules: [rule] }),
    'settings/compliance.json': JSON.stringify({ four_eyes: 'some', retention_days: 2000 }),
  });
  const { status, body } = await sent<Problem>({ key }, zip);
  const at = body.errors?.map(({ pointer }) => pointer) ?? [];
  expect([status, at.every((pointer) => pointer.startsWith('/compliance/'))]).toEqual([400, true]);
  expect(at).toEqual(
    expect.arrayContaining([
      `/compliance/${FILE}/rules/0/legal_basis`,
      '/compliance/settings/compliance.json/four_eyes',
    ]),
  );
  expect(await published(key)).toMatchObject([{ version: 1 }]);
});

it('needs both scopes: a supervisor publishes rules and does not change settings', async () => {
  const { id, apiKey: key } = await testTenant(store);
  const zip = await exported(key);
  for (const [role, status] of [
    ['supervisor', 403],
    ['developer', 403],
    ['admin', 200],
  ] as const) {
    const { token: member } = await testMember(store, id, role);
    expect([role, (await sent({ member }, zip)).status]).toEqual([role, status]);
  }
});
