import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listenForOperators } from '@constancia/http';
import { checkedFetch, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import type { OpsServer } from '@constancia/telemetry';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

type Person = 'ana' | 'bea' | 'carla' | 'dora' | 'luis' | '1uis';
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
  const entries = ['ana', 'bea', 'carla', 'dora', 'luis', '1uis'].map((name) => ({
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
  const origin = `http://127.0.0.1:${ops.port}`;
  const response = await checkedFetch({ ops: origin })(`${origin}/ops${where}`, {
    method,
    headers: { authorization: `Bearer ${tokenOf(name)}`, 'x-operator': 'somebody-else' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const ask = async (credits = 1_001, reference = 'OC-9', name: Person = 'ana') => {
  const body = { credits, reference, reason: 'contract 9' };
  return as(name, 'POST', `/tenants/${tenant.slug}/grants`, body);
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
    const repeated = await ask();
    expect([repeated.status, repeated.body]).toMatchObject([200, { repeated: true }]);
    expect((await ask(1_002)).status).toBe(409);
    expect(await available()).toBe(before + 1_001);
  });

  it('are one amount per reference also while they wait', async () => {
    const first = await ask();
    const other = await ask(5_000);
    expect([other.status, other.body.error]).toEqual([409, expect.stringContaining('with 1001 credits')]);
    expect((await as('bea', 'GET', '/grants')).body.data).toContainEqual(
      expect.objectContaining({ id: idIn(first), credits: 1_001 }),
    );
  });

  it('are not approved by a name that looks like the one who requested them', async () => {
    const asked = await ask(1_001, 'OC-9', 'luis');
    expect((await approve('1uis', idIn(asked))).status).toBe(403);
  });

  it('are among what the process offers, with the role that each needs', async () => {
    const { status, body } = await as('ana', 'GET', '');
    expect([status, body.module]).toEqual([200, 'platform']);
    expect(body.operator).toMatchObject({ name: 'ana' });
    expect(body.actions).toContainEqual(
      expect.objectContaining({ method: 'POST', path: '/ops/grants/:id/approve', role: 'grant' }),
    );
    expect(body.actions).toContainEqual(
      expect.objectContaining({ method: 'GET', path: '/ops/deliveries/:id', role: 'read' }),
    );
  });

  it('are not requested with OPS_TOKEN: the same person could approve them with a personal token', async () => {
    const token = 'one-token-that-all-operators-share';
    const shared = await listenForOperators(platform.app, { token });
    const response = await fetch(`http://127.0.0.1:${shared.port}/ops/tenants/${tenant.slug}/grants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-operator': 'zoe' },
      body: JSON.stringify({ credits: 1_001, reference: 'OC-9', reason: 'contract 9' }),
    });
    await shared.close();
    expect([response.status, await response.json()]).toEqual([
      403,
      { error: expect.stringContaining('OPS_TOKEN does not identify you') },
    ]);
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

  it('are also several smaller grants of one operator within 24 hours, to any tenants, at once or one after the other', async () => {
    const before = Number(await available());
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => ask(300, `OC-${index}`, 'carla')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 202, 202]);
    expect(await available()).toBe(before + 900);
    const granted = answers.findIndex(({ status }) => status === 201);
    expect((await ask(300, `OC-${granted}`, 'carla')).status).toBe(200);

    tenant = await testTenant(store);
    expect((await ask(101, 'OC-1', 'carla')).status).toBe(202);
    expect((await ask(100, 'OC-2', 'carla')).status).toBe(201);
    expect((await ask(101, 'OC-3', 'dora')).status).toBe(201);
  });

  it('up to the limit need one operator, and a new tenant gets no more than that', async () => {
    const made = { slug: 'banco-nuevo', name: 'Banco Nuevo', owner_email: 'a@banco.example', reason: 'contract' };
    expect((await as('bea', 'POST', '/tenants', { ...made, credits: 1_001 })).status).toBe(422);
    expect((await as('bea', 'POST', '/tenants', { ...made, credits: 400 })).status).toBe(201);
    expect((await ask(600, 'OC-10', 'bea')).status).toBe(201);
    expect((await as('bea', 'POST', '/tenants', { ...made, slug: 'banco-otro', credits: 1 })).status).toBe(422);
    expect((await as('bea', 'POST', '/tenants', { ...made, slug: 'banco-otro' })).status).toBe(201);
  });
});
