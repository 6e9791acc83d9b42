import type { BatchCheckView } from '@constancia/batches';
import { ContractChecker, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BatchColumn, sampleFile } from '../../apps/console/src/signing/batch/batch-columns.ts';
import type { CircuitView } from '../../apps/signing/src/circuits/circuit-view.ts';
import { publishedCircuit } from '../../apps/signing/src/circuits/circuits.fixture.ts';
import { type RunningSigning, runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';

let store: TestDatabase;
let signing: RunningSigning;

beforeAll(async () => {
  store = await testDatabase();
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
afterAll(async () => {
  await signing?.close();
  await store?.drop();
});

const field = (type: string, signer: string, y: number, more: object = {}) => ({
  ...{ key: `${signer}_${type}_${y}`, type, signer, page: 1, x: 72, y },
  ...more,
});
const TYPES = ['text', 'name', 'date', 'checkbox'];
const DEFINITION = {
  signers: [
    { role: 'buyer', auth: ['otp_email', 'access_code'], order: 1 },
    { role: 'seller', auth: ['otp_email'], order: 2 },
  ],
  fields: [
    ...TYPES.map((type, nth) => field(type, 'sender', 700 - nth * 30)),
    field('text', 'sender', 550, { visible_if: { field: 'sender_checkbox_610', equals: false } }),
    ...[...TYPES, 'initials'].map((type, nth) =>
      field(type, 'buyer', 500 - nth * 40, { required: type !== 'checkbox' }),
    ),
    field('checkbox', 'buyer', 250),
    field('signature', 'buyer', 150),
    field('signature', 'seller', 80),
  ],
};

it.each([',', ';'] as const)(
  'the sample file of the console, with %s, is a right batch of its circuit',
  async (separator) => {
    const { apiKey: key } = await testTenant(store);
    const id = await publishedCircuit(signing, key, { definition: DEFINITION });
    const circuit = (await signing.call<CircuitView>(`/v1/circuits/${id}`, { key })).body;
    const sample = sampleFile(circuit, separator);
    expect(sample).toContain('values.buyer_initials_340' satisfies BatchColumn['title']);
    const checked = await signing.call<BatchCheckView>(`/v1/envelope-batches?circuit_id=${id}&dry_run=true`, {
      ...{ method: 'POST', key, body: sample, headers: { 'content-type': 'text/csv' } },
    });
    expect([checked.status, checked.body]).toEqual([200, { rows: 1, credits: 40, errors: [] }]);
  },
);
