import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listenForOperators } from '@constancia/http';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import type { OpsServer } from '@constancia/telemetry';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../../../tools/test/running-platform.ts';

type Person = 'ana' | 'bea';
const tokenOf = (name: string) => `token-of-${name}-with-enough-characters`;

let store: TestDatabase;
let platform: RunningPlatform;
let folder: string;
let ops: OpsServer;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store, { OPS_GRANT_LIMIT: '1000' });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'grants-'));
  const tokensFile = path.join(folder, 'operators.json');
  const entries = ['ana', 'bea'].map((name) => ({
    name,
    sha256: createHash('sha256').update(tokenOf(name)).digest('hex'),
    roles: ['read', 'act', 'grant'],
  }));
  fs.writeFileSync(tokensFile, JSON.stringify(entries));
  ops = await listenForOperators(platform.app, { tokensFile });
});
afterAll(async () => {
  await ops?.close();
  await platform?.close();
  await store?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

type Answer = { status: number; body: Record<string, never> & Record<string, unknown> };
async function as(name: Person, method: string, where: string, body?: object): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${ops.port}/ops${where}`, {
    method,
    headers: { authorization: `Bearer ${tokenOf(name)}`, 'x-operator': 'somebody-else' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const ask = async (credits = 1_001, reference = 'OC-9') => {
  const body = { credits, reference, reason: 'contract 9' };
  return as('ana', 'POST', `/tenants/${tenant.slug}/grants`, body);
};
const idIn = ({ body }: Answer) => (body.pending as unknown as { id: string }).id;
const approve = (name: Person, id: string) =>
  as(name, 'POST', `/grants/${id}/approve`, { reason: 'seen the contract' });
const available = async () => (await as('ana', 'GET', `/tenants/${tenant.slug}`)).body.available;

describe('credits above the limit of one operator', () => {
  it('wait for a second one; the ledger and the log name both', async () => {
    const before = Number(await available());
    const asked = await ask();
    expect([asked.status, asked.body.pending]).toMatchObject([
      202,
      { credits: 1_001, requested_by: 'ana', status: 'pending' },
    ]);
    expect(await available()).toBe(before);
    expect((await as('bea', 'GET', '/grants')).body.data).toContainEqual(expect.objectContaining({ id: idIn(asked) }));

    const own = await approve('ana', idIn(asked));
    expect([own.status, own.body.error]).toEqual([403, expect.stringContaining('another operator has to approve')]);
    expect(await available()).toBe(before);

    const approved = await approve('bea', idIn(asked));
    expect([approved.status, approved.body]).toMatchObject([201, { balance: { available: before + 1_001 } }]);
    const [entry] = await store.query(
      `select reason from platform.credit_entry where tenant_id = $1 order by seq desc limit 1`,
      [tenant.id],
    );
    expect(entry).toEqual({ reason: 'contract 9 (requested by ana, approved by bea)' });
    const acts = (await as('ana', 'GET', '/audit?limit=2')).body.data;
    expect(acts).toMatchObject([
      { type: 'grant.approved', operator: 'bea', data: { requested_by: 'ana', reason: 'seen the contract' } },
      { type: 'grant.requested', operator: 'ana' },
    ]);
  });

  it('are given once, however many approve at once, and the reference counts once', async () => {
    const before = Number(await available());
    const [first, again] = [await ask(), await ask()];
    expect(idIn(again)).toBe(idIn(first));
    const answers = await Promise.all(Array.from({ length: 5 }, () => approve('bea', idIn(first))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await available()).toBe(before + 1_001);
    expect((await ask()).status).toBe(409);
  });

  it('are not given once the time for it is over, or after they were withdrawn', async () => {
    const before = await available();
    const late = await ask();
    await store.query(`update platform.pending_grant set expires_at = now() - interval '1 s' where id = $1`, [
      idIn(late),
    ]);
    expect((await approve('bea', idIn(late))).status).toBe(409);
    const withdrawn = await ask();
    expect(idIn(withdrawn)).not.toBe(idIn(late));
    const ended = await as('ana', 'POST', `/grants/${idIn(withdrawn)}/withdraw`, { reason: 'a mistake' });
    expect([ended.status, ended.body.status]).toEqual([200, 'withdrawn']);
    expect((await approve('bea', idIn(withdrawn))).status).toBe(409);
    expect(await available()).toBe(before);
  });

  it('up to the limit need one operator, and a new tenant gets no more than that', async () => {
    expect((await ask(1_000, 'OC-10')).status).toBe(201);
    const made = { slug: 'banco-nuevo', name: 'Banco Nuevo', owner_email: 'a@banco.example', reason: 'contract' };
    expect((await as('ana', 'POST', '/tenants', { ...made, credits: 1_001 })).status).toBe(422);
  });
});
