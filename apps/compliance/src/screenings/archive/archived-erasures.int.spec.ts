import fs from 'node:fs';
import path from 'node:path';
import { uuidOf } from '@constancia/kernel';
import { PersonalData } from '@constancia/personal-data';
import { ObjectStore } from '@constancia/storage';
import type { TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { DutySweep } from '../../erasures/duty-sweep.ts';
import type { ErasureView } from '../../erasures/erasure-view.ts';
import type { BlockedDataView } from '../../erasures/read-blocked-data.ts';
import { ArchiveBench, ROSALBA } from './archived-screenings.fixture.ts';

let bench: ArchiveBench;
let tenant: TestTenant;

beforeAll(async () => {
  bench = await ArchiveBench.start();
}, 120_000);
afterAll(async () => bench?.close());
beforeEach(async () => {
  tenant = await bench.tenant();
});

const erase = async (subject_ref: string) =>
  (await bench.compliance.call<ErasureView>('/v1/erasures', { key: tenant.apiKey, body: { subject_ref } })).body;
const blocked = (receipt: ErasureView) =>
  bench.get<BlockedDataView>(tenant, `/v1/erasures/${receipt.receipt_id}/data?reason=audit`);
const rowsIn = async (file: { id: string }) =>
  (await bench.ops.get<{ data: Record<string, unknown>[] }>(`/archives/screenings/${file.id}/rows?limit=100`)).body
    .data;

it('a file has nothing personal in the clear, and no key', async () => {
  await bench.screenings(tenant, 3);
  await bench.age(tenant);
  const text = fs.readFileSync(bench.pathOf(await bench.archived(tenant)), 'utf8');
  for (const canary of Object.values(ROSALBA).filter((value) => value !== 'CC')) {
    expect(text).not.toContain(canary);
    expect(text).not.toContain(Buffer.from(canary).toString('hex'));
  }
  const keys = await bench.store.query<{ wrapped: string }>(
    `select encode(wrapped_key, 'hex') as wrapped from compliance.subject_key where tenant_id = $1`,
    [tenant.id],
  );
  expect(keys.length).toBe(1);
  for (const { wrapped } of keys) expect(text).not.toContain(wrapped);
});

it('an erasure blocks what is archived too: 404, in no list, hidden from operators, read through the receipt alone', async () => {
  const erased = await bench.screenings(tenant, 3, 'erased');
  const other = await bench.screenings(tenant, 2, 'other');
  await bench.age(tenant);
  const file = await bench.archived(tenant);
  const before = await Promise.all(erased.map(async (id) => (await bench.get(tenant, `/v1/screenings/${id}`)).body));
  const receipt = await erase('erased');
  expect(receipt.modules).toMatchObject([{ kept: ['screenings'] }]);
  for (const id of erased) {
    expect((await bench.get(tenant, `/v1/screenings/${id}`)).status).toBe(404);
    expect((await bench.get(tenant, `/v1/screenings/${id}/replay`)).status).toBe(404);
    expect((await bench.ops.get(`/story/${id}`)).status).toBe(404);
  }
  expect((await bench.get(tenant, `/v1/screenings/${other[0]}`)).status).toBe(200);
  const rows = await rowsIn(file);
  expect(rows.filter((row) => row.blocked === true)).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain('"erased"');
  expect(await bench.verdict(file)).toMatchObject({ valid: true });

  const { screenings } = (await blocked(receipt)).body;
  const { lists_when_screened: _, ...first } = before[0] as Record<string, unknown>;
  expect(screenings.map(({ id }) => id)).toEqual(erased);
  expect(screenings[0]).toEqual(first);
});

it('an erasure of somebody all of whose screenings are archived keeps them as long as the law asks, then their key is gone', async () => {
  await bench.screenings(tenant, 3, 'erased');
  await bench.age(tenant);
  await bench.store.query('delete from compliance.monitored_subject where tenant_id = $1', [tenant.id]);
  const file = await bench.archived(tenant);
  expect(await bench.stored(tenant)).toEqual([]);
  const receipt = await erase('erased');
  expect(receipt.modules).toMatchObject([{ kept: ['screenings'], kept_until: expect.any(String) }]);
  expect((await blocked(receipt)).body.screenings).toHaveLength(3);

  const bytes = fs.readFileSync(bench.pathOf(file));
  await bench.store.query(`update compliance.erasure_receipt set kept_until = now() - interval '1 s' where id = $1`, [
    uuidOf('rcp', receipt.receipt_id),
  ]);
  await bench.compliance.app.get(DutySweep, { strict: false }).run();
  expect((await blocked(receipt)).status).toBe(404);
  expect(fs.readFileSync(bench.pathOf(file))).toEqual(bytes);
  expect(await bench.verdict(file)).toMatchObject({ valid: true });

  // What is left of keys opens nothing of the file.
  const lines = bytes.toString().trimEnd().split('\n').slice(1, -1);
  const [row] = lines.map((line) => JSON.parse(line) as { id: string; subject_key_id: string; sealed_payload: string });
  const keys = await bench.store.query<{ id: string; wrapped_key: Buffer | null }>(
    'select id, wrapped_key from compliance.subject_key where tenant_id = $1',
    [tenant.id],
  );
  expect(keys).toEqual([{ id: row?.subject_key_id, wrapped_key: null }]);
  const keyring = await bench.compliance.app.get(PersonalData).tenant(tenant.id);
  const sealed = Buffer.from((row?.sealed_payload ?? '').slice(2), 'hex');
  const context = `screening:${row?.id}:payload`;
  expect(() => keyring.openText(context, sealed)).toThrow();
  const { key } = keyring.newSubject();
  expect(() => key.open(context, sealed)).toThrow();
});

it('somebody who is erased while a file is written is not in the one that is recorded', async () => {
  const erased = await bench.screenings(tenant, 3, 'erased');
  const other = await bench.screenings(tenant, 3, 'other');
  await bench.age(tenant);
  const objects = bench.compliance.app.get(ObjectStore);
  const real = objects.put.bind(objects);
  const spy = vi.spyOn(objects, 'put').mockImplementationOnce(async (...args) => {
    await real(...args);
    await erase('erased');
  });
  const file = await bench.archived(tenant);
  spy.mockRestore();
  expect(file).toMatchObject({ from: 1, through: 2 });
  expect((await rowsIn(file)).map(({ id }) => id)).toEqual(other.slice(0, 2).map((id) => uuidOf('scr', id)));
  expect(await bench.stored(tenant)).toEqual([...erased, other[2]]);
  const { dir, base } = path.parse(bench.pathOf(file));
  expect(fs.readdirSync(dir).sort()).toEqual([base, `${base}.sig`]); // the file with the erased person is gone
  expect(await bench.verdict(file)).toMatchObject({ valid: true });
});
