import { createHash } from 'node:crypto';
import { uuidOf } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draftCircuit, succeeded } from '../circuits/circuits.fixture.ts';
import type { EnvelopeView } from '../envelopes/envelope-view.ts';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { ANSWERS, type SentEnvelope, Signing } from '../sign/sign.fixture.ts';

let database: TestDatabase;
let running: RunningSigning;
let tenant: TestTenant;
let signing: Signing;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database, { credits: 10_000 });
  signing = new Signing(running, database, tenant.apiKey);
});

afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const field = (key: string, type: string, signer: string, y: number, more: object = {}) => ({ key, type, signer, page: 1, x: 72, y, ...more }); // prettier-ignore
const guaranteed = { visible_if: { field: 'guaranteed', equals: true } };
const DEFINITION = {
  signers: [
    { role: 'a', auth: ['otp_email'], order: 1 },
    { role: 'b', auth: ['otp_email'], order: 2 },
  ],
  fields: [
    field('amount', 'text', 'sender', 700),
    field('a_signature', 'signature', 'a', 100),
    field('city', 'text', 'a', 600),
    field('loan', 'text', 'a', 570, { locked: true }),
    field('guaranteed', 'checkbox', 'a', 540, { required: false }),
    field('guarantor', 'text', 'a', 510, guaranteed),
    field('b_signature', 'signature', 'b', 200),
    field('b_note', 'text', 'b', 480, guaranteed),
    field('b_seal', 'signature', 'b', 300, guaranteed),
    field('agrees', 'checkbox', 'b', 450),
  ],
};
const VALUES = { amount: '$ 1.250.417', city: 'Barichara', loan: 'L-417' };

const pointers = ({ errors }: Problem) => errors?.map(({ pointer, code }) => `${pointer} ${code}`);
const stored = async (): Promise<string> => {
  const tables = ['envelope', 'envelope_signer', 'envelope_event', 'signer_mail', 'idempotency_key'];
  const sql = tables.map((table) => `select t::text as row from signing.${table} t`).join(' union all ');
  return (await database.query<{ row: string }>(sql)).map(({ row }) => row).join('\n');
};

async function sent(changes: object = { values: VALUES }): Promise<SentEnvelope & Record<'a' | 'b', string>> {
  const envelope = await signing.envelope(await signing.circuit(DEFINITION), [{ role: 'a' }, { role: 'b' }], changes);
  const [a, b] = envelope.signers.map(({ sign_token }) => sign_token);
  return { ...envelope, a: a as string, b: b as string };
}

const signA = (token: string, fields: object) => signing.post<Problem>(token, 'sign', { ...ANSWERS, fields });

describe('values of an envelope', () => {
  test('of the sender are drawn from the beginning; suggestions are shown after authentication and signed when left out', async () => {
    const envelope = await sent();
    const base = (await signing.state(envelope.a)).document.base_sha256;
    const shown = await signing.get<unknown>(envelope.a, '/document');
    expect(shown.headers.get('x-document-sha256')).not.toBe(base);
    expect((await signing.get(envelope.a, '/document')).headers.get('etag')).toBe(shown.headers.get('etag'));
    const before = await signing.state(envelope.a);
    expect(before.fields.map(({ prefilled }) => prefilled)).toEqual(before.fields.map(() => null));

    const { fields } = await signing.authenticated(envelope.a);
    expect(fields.map(({ key, prefilled, locked }) => [key, prefilled, locked])).toEqual([
      ['a_signature', null, false],
      ['city', 'Barichara', false],
      ['loan', 'L-417', true],
      ['guaranteed', null, false],
      ['guarantor', null, false],
    ]);
    expect(pointers((await signA(envelope.a, { loan: 'L-418' })).body)).toEqual(['/fields/loan locked']);
    expect(pointers((await signA(envelope.a, { city: '' })).body)).toEqual(['/fields/city required']);
    const rows = await stored();
    expect(Object.values(VALUES).filter((value) => rows.includes(value))).toEqual([]);
    expect((await signA(envelope.a, { city: 'Mompox' })).status).toBe(200);
    expect(await signing.row(envelope.a)).toMatchObject({ field_values: { city: 'Mompox', loan: 'L-417' } });

    const [first] = await signing.trail(envelope.id);
    const { body } = await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${envelope.id}`);
    const [a, b] = body.signers.map(({ person_salt }) => person_salt);
    const values = `{"amount":"${VALUES.amount}","city":"Barichara","loan":"L-417"}`;
    const canonical = `{"salts":{"a":"${a}","b":"${b}"},"values":${values}}`;
    expect(first?.data.values_sha256).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  test('are erased when the envelope ends', async () => {
    const envelope = await sent();
    const left = async () =>
      database.query(
        `select e.sealed_values is not null as sender, bool_or(s.sealed_prefill is not null) as signers
           from signing.envelope e join signing.envelope_signer s on s.envelope_id = e.id where e.id = $1 group by e.id`,
        [uuidOf('env', envelope.id)],
      );
    expect(await left()).toEqual([{ sender: true, signers: true }]);
    succeeded(await signing.asTenant('POST', `/v1/envelopes/${envelope.id}/void`, { reason: 'Otro contrato' }));
    expect(await left()).toEqual([{ sender: false, signers: false }]);
  });

  test.each([
    [{ ...VALUES, nobody: 'x' }, ['/values/nobody unknown_member']],
    [{ city: 'Barichara' }, ['/values/amount required']],
    [{ ...VALUES, amount: 5, city: true }, ['/values/amount wrong_type', '/values/city wrong_type']],
    [
      { ...VALUES, agrees: true, a_signature: 'Ana' },
      ['/values/agrees not_allowed', '/values/a_signature not_allowed'],
    ],
    [{ ...VALUES, city: 'x'.repeat(900) }, ['/values/city text_overflow']],
    [{ ...VALUES, amount: '\u4e2d' }, ['/values/amount unsupported_text']],
  ])('%# of the wrong kind are refused as a whole', async (values, expected) => {
    const circuit_id = await signing.circuit(DEFINITION);
    const signers = ['a', 'b'].map((role) => ({ role, email: `${role}@correo.example.co` }));
    const { status, body } = await signing.asTenant('POST', '/v1/envelopes', { circuit_id, signers, values });
    expect([status, pointers(body)]).toEqual([400, expected]);
    const rows = await database.query('select 1 from signing.envelope where tenant_id = $1', [tenant.id]);
    expect(rows).toEqual([]);
  });
});

describe('fields with a condition', () => {
  test('that are not shown are neither required nor taken, of this signer and of a later one', async () => {
    const { a, b } = await sent();
    const { fields } = await signing.authenticated(a);
    expect(fields.find(({ key }) => key === 'guarantor')?.visible_if).toEqual({ field: 'guaranteed', equals: true });
    expect(pointers((await signA(a, { guarantor: 'Luis' })).body)).toEqual(['/fields/guarantor hidden']);
    expect(pointers((await signA(a, { guaranteed: true })).body)).toEqual(['/fields/guarantor required']);
    expect((await signA(a, {})).status).toBe(200);
    const later = await signing.authenticated(b);
    expect(later.fields.map(({ key }) => key)).toEqual(['b_signature', 'agrees']);
    expect(pointers((await signA(b, { b_note: 'x', agrees: true })).body)).toEqual(['/fields/b_note unknown_member']);
    expect((await signA(b, { agrees: true })).status).toBe(200);
  });

  test('that what an earlier signer filled in shows are fields like any other', async () => {
    const { a, b } = await sent();
    await signing.authenticated(a);
    expect((await signA(a, { guaranteed: true, guarantor: 'Luis Peña' })).status).toBe(200);
    const { fields } = await signing.authenticated(b);
    expect(fields.map(({ key, visible_if }) => [key, visible_if])).toEqual([
      ['b_signature', null],
      ['b_note', null],
      ['b_seal', null],
      ['agrees', null],
    ]);
    expect(pointers((await signA(b, { agrees: true })).body)).toEqual(['/fields/b_note required']);
  });

  test('are checked when the circuit is published', async () => {
    const of = (key: string, signer: string, condition: object | null, type = 'text') =>
      field(key, type, signer, 400, condition ? { visible_if: condition } : {});
    const fields = [
      field('a_signature', 'signature', 'a', 100, guaranteed),
      field('b_signature', 'signature', 'b', 200),
      of('unknown', 'a', { field: 'nothing', equals: 'x' }),
      of('later', 'a', { field: 'b_text', equals: 'x' }),
      of('b_text', 'b', null),
      of('circle', 'b', { field: 'back', equals: 'x' }),
      of('back', 'b', { field: 'circle', equals: 'x' }),
      of('ticked', 'b', { field: 'guaranteed', equals: 'x' }),
      of('drawn', 'b', { field: 'a_signature', equals: 'x' }),
      of('day', 'b', { field: 'since', equals: 'ayer' }),
      of('since', 'sender', null, 'date'),
      of('guaranteed', 'a', null, 'checkbox'),
    ];
    const id = await draftCircuit(running, tenant.apiKey, { definition: { ...DEFINITION, fields } });
    const { status, body } = await signing.asTenant('POST', `/v1/circuits/${id}/publish`);
    expect([status, pointers(body)]).toEqual([
      409,
      [
        '/signers/0 signature_field_missing',
        '/fields/2/visible_if/field unknown_field',
        '/fields/3/visible_if/field not_earlier',
        '/fields/5/visible_if cycle',
        '/fields/6/visible_if cycle',
        '/fields/7/visible_if/equals wrong_type',
        '/fields/8/visible_if/equals wrong_type',
        '/fields/9/visible_if/equals wrong_format',
      ],
    ]);
  });

  test('the sender has no role and no signature', async () => {
    const id = await draftCircuit(running, tenant.apiKey, { definition: null });
    const { status, body } = await signing.asTenant('PUT', `/v1/circuits/${id}/definition`, {
      signers: [...DEFINITION.signers, { role: 'sender', auth: ['otp_email'], order: 3 }],
      fields: [field('signed', 'signature', 'sender', 100), field('fixed', 'text', 'sender', 200, { locked: true })],
    });
    expect([status, pointers(body)]).toEqual([
      400,
      ['/signers/2/role reserved', '/fields/0/type not_allowed', '/fields/1/locked not_allowed'],
    ]);
  });
});
