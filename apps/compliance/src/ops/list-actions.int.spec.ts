import { listenForOperators } from '@constancia/http';
import { checkedFetch, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import type { OpsServer } from '@constancia/telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';

const TOKEN = 'a-token-of-at-least-32-characters!';

let database: TestDatabase;
let compliance: RunningCompliance;
let ops: OpsServer;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
  ops = await listenForOperators(compliance.app, { token: TOKEN });
});

afterAll(async () => {
  await ops?.close();
  await compliance?.close();
  await database?.drop();
});

async function act(method: string, path: string, body?: string, token = TOKEN) {
  const url = new URL(`http://127.0.0.1:${ops.port}/ops/${path}`);
  if (method !== 'GET' && !url.searchParams.has('reason')) url.searchParams.set('reason', 'ticket 7');
  const response = await checkedFetch({ ops: url.origin })(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'x-operator': 'noche' },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const people = (count: number) =>
  [
    'id,kind,name',
    ...Array.from({ length: count }, (_, nth) => `P-${nth},person,Persona Ficticia Operada ${nth}`),
    '',
  ].join('\n');

describe('the lists on the ops port', () => {
  it('are imported from the files that were laid down, and screened against at once', async () => {
    expect((await act('POST', 'lists/PEP/import')).status).toBe(409);
    const untold = await act('POST', 'lists/PEP/import?reason=');
    expect([untold.status, untold.body.error]).toEqual([400, expect.stringContaining('reason is missing')]);
    expect(await act('PUT', 'lists/PEP/files/pep.csv', people(40))).toMatchObject({
      status: 201,
      body: { list: 'PEP' },
    });
    const { status, body } = await act('POST', 'lists/PEP/import');
    expect([status, body]).toMatchObject([200, { outcome: 'activated', list: 'PEP', changes: { added: 40 } }]);
    const shown = await act('GET', 'lists');
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(shown.body.data).toContainEqual(
      expect.objectContaining({ list: 'PEP', version: body.version, entries: 40, sha256 }),
    );
    const tenant = await testTenant(database);
    const answer = await compliance.call<{ data: { code: string; version: string }[] }>('/v1/lists', {
      key: tenant.apiKey,
    });
    expect(answer.body.data.find(({ code }) => code === 'PEP')?.version).toBe(body.version);
    const [row] = await database.query<{ operator: string }>(
      `select operator from compliance.list_version where list = 'PEP' and status = 'active'`,
    );
    expect(row?.operator).toBe('noche');
    expect((await act('POST', 'lists/PEP/import')).status).toBe(409); // what was imported lies here no more
  });

  it('say why a file is refused, and keep the last good version unless forced', async () => {
    await act('PUT', 'lists/ONU/files/onu.csv', people(40));
    const { body: first } = await act('POST', 'lists/ONU/import?force=true');
    await act('PUT', 'lists/ONU/files/onu.csv', people(10));
    const shrunk = await act('POST', 'lists/ONU/import');
    expect([shrunk.status, shrunk.body.outcome, shrunk.body.detail]).toEqual([422, 'refused', expect.any(String)]);
    await act('PUT', 'lists/ONU/files/onu.xml', '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>');
    expect((await act('POST', 'lists/ONU/import')).status).toBe(422);
    const shown = (await act('GET', 'lists')).body.data as { list: string; version: string }[];
    expect(shown.find(({ list }) => list === 'ONU')?.version).toBe(first.version);
    await act('PUT', 'lists/ONU/files/onu.csv', people(10));
    expect((await act('POST', 'lists/ONU/import?force=true')).status).toBe(200);
  });

  it('leave a line of each act in the operators’ log, with its result', async () => {
    const [before] = await database.query<{ seq: number }>(
      'select coalesce(max(seq), 0) as seq from platform.operator_act',
    );
    await act('PUT', 'lists/EU_SANCTIONS/files/ue.csv', people(40));
    const { body: first } = await act('POST', 'lists/EU_SANCTIONS/import?force=true');
    await act('PUT', 'lists/EU_SANCTIONS/files/ue.csv', people(3));
    await act('POST', 'lists/EU_SANCTIONS/import');
    await act('DELETE', 'lists/EU_SANCTIONS/files');
    const acts = await database.query<{ type: string; operator: string; data: string }>(
      'select type, operator, data from platform.operator_act where seq > $1 order by seq',
      [before?.seq],
    );
    expect(acts.map(({ type, operator, data }) => [type, operator, JSON.parse(data) as unknown])).toMatchObject([
      ['list.file_laid_down', 'noche', { list: 'EU_SANCTIONS', name: 'ue.csv' }],
      [
        'list.imported',
        'noche',
        { list: 'EU_SANCTIONS', version: first.version, forced: true, changes: { added: 40 } },
      ],
      ['list.file_laid_down', 'noche', {}],
      ['list.import_refused', 'noche', { list: 'EU_SANCTIONS', code: expect.any(String) }],
      ['list.files_forgotten', 'noche', { list: 'EU_SANCTIONS' }],
    ]);
  });

  it('are for who has the token, and know their names', async () => {
    expect((await act('GET', 'lists', undefined, 'another-token-of-32-characters!!')).status).toBe(401);
    expect((await act('PUT', 'lists/PEP/files/x.csv', people(1), '')).status).toBe(401);
    expect((await act('PUT', 'lists/NOBODY/files/x.csv', people(1))).status).toBe(404);
    expect((await act('DELETE', 'lists')).status).toBe(405);
    expect((await act('POST', 'lists/PEP/import?format=word')).status).toBe(400);
    await act('PUT', 'lists/PEP/files/x.csv', people(1));
    await act('DELETE', 'lists/PEP/files');
    expect((await act('POST', 'lists/PEP/import')).status).toBe(409);
    for (const name of ['..%2fx.csv', '.hidden', 'a%2fb']) {
      const response = await fetch(`http://127.0.0.1:${ops.port}/ops/lists/PEP/files/${name}?reason=x`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: people(1),
      });
      expect(response.status).toBe(404); // no file has such a name
    }
  });
});
