import { generateApiKey } from '@constancia/auth';
import { checkedFetch, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readArchive } from '../../../../libs/tenant-export/src/read-archive.fixture.ts';
import { PICTURE, TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';
import { manyCases } from '../cases/many-cases.fixture.ts';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { importEntries } from '../lists/list-imports.fixture.ts';

const CANARY = 'Canaria Inventada Listada';
const PERSON = { full_name: CANARY, birth_date: '1987-03-14', document_type: 'CC', document_number: '1032456798' };
const ERASED = { ...PERSON, full_name: 'Borrada Inventada Listada' };

let bench: Workbench;

beforeAll(async () => {
  bench = await workbench();
  await listsLoaded(bench.compliance, (await testTenant(bench.store)).apiKey);
  const entries = [PERSON, ERASED].map(({ full_name: name, birth_date: birthDate }, nth) => ({ id: `I-${nth}`, name, birthDate })); // prettier-ignore
  await importEntries(bench.compliance, 'ONU', entries, { force: true });
});
afterAll(async () => bench?.close());

const exported = (key: string) => {
  const fetchChecked = checkedFetch({ compliance: bench.compliance.url });
  return fetchChecked(`${bench.compliance.url}/v1/export`, { headers: { 'x-api-key': key } });
};
const archiveOf = async (key: string) => readArchive(Buffer.from(await (await exported(key)).arrayBuffer()));

it('holds what lists and details show, ROS drafts too, and nothing that is blocked or another tenant’s', async () => {
  const [cases, strangers] = [await TenantCases.of(bench), await TenantCases.of(bench)];
  const key = cases.tenant.apiKey;
  const post = <Body>(path: string, body: object) =>
    bench.compliance.call<Body>(path, { method: 'POST', key, body }).then((answer) => answer.body);
  const screened = (subject_ref: string, payload: object) =>
    post<{ id: string; case_id: string }>('/v1/screenings', { subject_ref, subject_type: 'natural', payload });
  const validationId = await seededValidation(bench.compliance, key);
  const { id, case_id } = await screened('customer-1', PERSON);
  await cases.act(case_id, 'comment', { body: 'Llamada con la prima.' });
  const attachment = (await cases.attach<{ id: string }>(case_id)).body;
  await cases.act(case_id, 'resolve', { decision: 'true_match', reason: 'Es ella.' });
  await screened('customer-2', ERASED);
  const receipt = await post('/v1/erasures', { subject_ref: 'customer-2' });
  await strangers.open({ subject: { full_name: 'Stranger Canary' } });
  await cases.get('/v1/cases/export');

  const archive = await archiveOf(key);
  expect(archive.manifest).toMatchObject({ host: 'compliance', snapshots: [{ module: 'compliance' }], missing: [] });
  const shown = async (path: string) => (await cases.get<object>(path)).body;
  expect(archive.lines('settings')).toEqual([await shown('/v1/compliance-settings')]);
  expect({ data: archive.lines('validations'), next_cursor: null }).toEqual(await shown('/v1/validations?limit=100'));
  const rules = `/v1/validations/${validationId}/rules?limit=100`;
  expect({ data: archive.lines('rules'), next_cursor: null }).toEqual(await shown(rules));
  expect(archive.lines('screenings')).toEqual([await shown(`/v1/screenings/${id}`)]);
  const {
    subject: _,
    screening: __,
    rules: ___,
    attachments: ____,
    lists_when_screened: _____,
    lists_when_decided: ______,
    ...exported
  } = (await shown(`/v1/cases/${case_id}`)) as Record<string, unknown>;
  expect(archive.lines('cases')).toEqual([exported]);
  expect(archive.lines('case-attachments')).toEqual([{ case_id, ...attachment }]);
  expect(archive.files.get(`attachments/${attachment.id}.png`)).toEqual(PICTURE);
  expect(archive.lines('ros-drafts')).toEqual([await shown(`/v1/cases/${case_id}/ros-draft`)]);
  expect(archive.lines('case-exports')).toHaveLength(1);
  expect(archive.lines('erasures')).toEqual([receipt]);
  const text = [...archive.files.values()].map(String).join('\n');
  expect(text).toContain(CANARY);
  for (const absent of [ERASED.full_name, 'Stranger Canary', 'sealed', 'tenant_id', key])
    expect(text).not.toContain(absent);
});

it('has every case of a tenant with many, newest first', async () => {
  const cases = await TenantCases.of(bench);
  await manyCases(bench.store, cases.tenant.id, { count: 1_030 });
  const ids = (await archiveOf(cases.tenant.apiKey)).lines<{ id: string }>('cases').map(({ id }) => id);
  expect(new Set(ids).size).toBe(1_030);
  expect(ids).toEqual(ids.toSorted().reverse());
});

it('needs the scope of the ROS drafts, and names it', async () => {
  const { tenant } = await TenantCases.of(bench);
  const key = generateApiKey('sandbox');
  await bench.store.query(
    `insert into platform.api_key (id, tenant_id, key_hash, prefix, status, name, scopes)
     values (gen_random_uuid(), $1, $2, $3, 'active', 'reader', '{compliance:read}')`,
    [tenant.id, key.hash, key.prefix],
  );
  const refused = await exported(key.plaintext);
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    403,
    'This operation needs the scope compliance:ros, which this API key does not have.',
  ]);
});
