import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Problem } from '@constancia/testing/calls';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { ScreeningView } from './screening-view.ts';

let database: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
  tenant = await testTenant(database, { credits: 100_000 });
  await listsLoaded(compliance, tenant.apiKey);
  await seededValidation(compliance, tenant.apiKey);
});

afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

const send = <Body = ScreeningView>(payload: unknown, path = '/v1/screenings', facts: object = {}) =>
  compliance.call<Body>(path, {
    key: tenant.apiKey,
    body: { subject_ref: 'customer-1', subject_type: 'natural', payload, ...facts },
  });
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

describe('a payload', () => {
  it.each([
    ['a birth date in the future', { birth_date: '2999-01-01' }, '/payload/birth_date out_of_range'],
    ['a day that does not exist', { birth_date: '2001-02-30' }, '/payload/birth_date wrong_format'],
    ['a birth date that is none', { birth_date: '12/04/1987' }, '/payload/birth_date wrong_format'],
    ['a birth date as a number', { birth_date: 1987 }, '/payload/birth_date wrong_type'],
    ['an unknown country', { country_code: 'XX' }, '/payload/country_code unknown_country'],
    ['a country by its name', { country_code: 'Colombia' }, '/payload/country_code unknown_country'],
    ['an unknown currency', { currency: 'PESOS' }, '/payload/currency unknown_currency'],
    ['an amount below zero', { amount: -1 }, '/payload/amount out_of_range'],
    ['an amount as a text', { amount: '1000' }, '/payload/amount wrong_type'],
    ['an age below zero', { subject_age: -1 }, '/payload/subject_age out_of_range'],
    ['an age of a fraction', { subject_age: 17.5 }, '/payload/subject_age wrong_type'],
    ['an age beyond any', { subject_age: 151 }, '/payload/subject_age out_of_range'],
    ['a document of no known type', { document_type: 'CARNET' }, '/payload/document_type not_allowed'],
    ['an empty name', { full_name: '' }, '/payload/full_name too_short'],
    ['a blank name', { full_name: ' \u00a0 ' }, '/payload/full_name too_short'],
    ['a name of 10,000 characters', { full_name: 'Ana '.repeat(2_500) }, '/payload/full_name too_long'],
    ['a name with control characters', { full_name: 'Ana\u0007Ruiz' }, '/payload/full_name invalid_characters'],
    ['a name with a line break', { full_name: 'Ana\nRuiz' }, '/payload/full_name invalid_characters'],
    ['a name that is no text', { full_name: ['Ana'] }, '/payload/full_name wrong_type'],
    ['a name that is null', { full_name: null }, '/payload/full_name wrong_type'],
    ['parties that are none', { beneficial_owners: 'Ana Ruiz' }, '/payload/beneficial_owners wrong_type'],
    ['a party without a name', { beneficial_owners: [{}] }, '/payload/beneficial_owners/0/full_name required'],
    [
      'a party with a blank name',
      { legal_representative: { full_name: '' } },
      '/payload/legal_representative/full_name too_short',
    ],
    [
      'too many parties',
      { related_parties: Array(51).fill({ full_name: 'Ana Ruiz' }) },
      '/payload/related_parties too_many',
    ],
    ['members nested too deep', { more: deep(9) }, '/payload/more/a/a/a/a/a/a/a too_deep'],
    ['a member name beyond its bounds', { ['x'.repeat(129)]: 1 }, `/payload/${'x'.repeat(129)} too_long`],
    ['a free text beyond its bounds', { note: 'x'.repeat(4_001) }, '/payload/note too_long'],
    ['more than 64 KB', { notes: Array(20).fill('x'.repeat(3_900)) }, '/payload too_long'],
    ['more than 2,000 values', { many: Array(2_001).fill(1) }, '/payload too_many'],
  ])('with %s is refused', async (_, members, expected) => {
    for (const path of ['/v1/screenings', '/v1/screenings/dry-run']) {
      const { status, body } = await send<Problem>({ full_name: 'Ana Ruiz', ...members }, path);
      expect(status).toBe(400);
      expect(body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
    }
  });

  it('is answered with everything that is wrong with it at once', async () => {
    const { body } = await send<Problem>({
      full_name: '',
      birth_date: '2999-01-01',
      country_code: 'XX',
      currency: 'XXX',
      amount: 'much',
      subject_age: -3,
      beneficial_owners: [{ full_name: 'Ana', ownership_percent: 101 }],
    });
    expect(body.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/payload/amount',
      '/payload/beneficial_owners/0/ownership_percent',
      '/payload/birth_date',
      '/payload/country_code',
      '/payload/currency',
      '/payload/full_name',
      '/payload/subject_age',
    ]);
  });

  it.each([['null'], ['[]'], ['"Ana"'], ['5']])('that is no object is refused: %s', async (payload) => {
    const body = `{"subject_ref":"c","subject_type":"natural","payload":${payload}}`;
    expect((await compliance.call('/v1/screenings', { key: tenant.apiKey, body })).status).toBe(400);
  });

  it.each([
    '{"full_name": "Ana", "__proto__": {"amount": 1}}',
    '{"full_name": "Ana", "constructor": {}}',
    '{"full_name": "Ana\\u0000Ruiz"}',
    '{"full_name": "Ana \\ud800"}',
  ])('that could harm is refused: %s', async (payload) => {
    const body = `{"subject_ref":"c","subject_type":"natural","payload":${payload}}`;
    expect((await compliance.call('/v1/screenings', { key: tenant.apiKey, body })).status).toBe(400);
  });

  it.each([
    ['an organization form alone', 'S.A.S.'],
    ['another form alone', 'Corp.', 'legal'],
    ['organization forms as the name of a person', 'Ltda. S.A.'],
    ['pictures', '😀👍'],
    ['a single letter', 'X'],
    ['nothing but signs', '--- ... !!!'],
    ['more words than are compared', 'Ana '.repeat(200).trim()],
  ])(
    'with a name that cannot be compared goes to a person, with a gap: %s',
    async (_, full_name, subject_type = 'natural') => {
      const payload = { full_name, country_code: 'CO' };
      const { status, body } = await send(payload, '/v1/screenings', { subject_type });
      expect(status).toBe(201);
      expect(body.decision).toBe('review');
      expect(body.case_id).not.toBeNull();
      expect(body.data_gaps).toContainEqual({ field: 'full_name', kind: 'invalid' });
      expect(body.findings.map(({ rule_code }) => rule_code)).toContain('NAME-NOT-COMPARABLE');
    },
  );

  it('with a related party whose name cannot be compared goes to a person as well', async () => {
    const payload = {
      full_name: 'Panadería La Espiga S.A.S.',
      beneficial_owners: [{ full_name: 'Ltda.' }],
      country_code: 'CO',
    };
    const { body } = await send(payload, '/v1/screenings', { subject_type: 'legal' });
    expect(body.data_gaps).toContainEqual({ field: 'beneficial_owners.0.full_name', kind: 'invalid' });
    expect(body.decision).not.toBe('approve');
  });

  it.each([
    'محمد عبد الله الخالدي',
    'Виктор Петрович Сидоренко',
    '王小明',
    'Γιώργος Παπαδόπουλος',
    'नरेन्द्र कुमार',
    '한지민',
    "Ñuñez-D'Ávila y O’Connor",
    'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
    '😀😀 Ana',
    '‮Ana Ruiz',
  ])('is screened in any script: %s', async (full_name) => {
    const { status, body } = await send({ full_name, country_code: 'CO' });
    expect([status, typeof body.decision]).toEqual([201, 'string']);
  });

  it('without a name says that nobody was looked for', async () => {
    const { status, body } = await send({ country_code: 'CO', subject_age: 40 });
    expect(status).toBe(201);
    expect(body.data_gaps).toContainEqual({ field: 'full_name', kind: 'missing' });
  });

  it('without a name says so even when no rule asks for the lists', async () => {
    const call = (path: string, body: unknown) => compliance.call<{ id: string }>(path, { key: tenant.apiKey, body });
    const { body: draft } = await call('/v1/validations', { code: 'amounts' });
    const rule = { code: 'ANY', severity: 'review', score: 1, subject_type: 'both' };
    const definition = { nodes: [{ id: 'always', type: 'action' }], edges: [] };
    await call(`/v1/validations/${draft.id}/rules`, { ...rule, definition });
    for (const payload of [{ amount: 5 }, { document_type: 'CC', document_number: '1000000001' }]) {
      const { body } = await send(payload, '/v1/screenings/dry-run', { validation_code: 'amounts' });
      expect(body.data_gaps).toEqual([{ field: 'full_name', kind: 'missing' }]);
    }
  });

  it('with a NIT of another check digit is screened, and a dry run warns of it; without the digit nothing is said', async () => {
    const warned = async (payload: object) =>
      (await send<{ warnings?: object[] }>({ full_name: 'Ejemplo S.A.S.', ...payload }, '/v1/screenings/dry-run')).body
        .warnings;
    const nit = (document_number: string) => ({ document_type: 'NIT', document_number });
    expect(
      await warned({ ...nit('900.123.456-7'), beneficial_owners: [{ full_name: 'Ana Ruiz', ...nit('900123456-1') }] }),
    ).toEqual([
      {
        pointer: '/payload/document_number',
        code: 'wrong_check_digit',
        detail: 'The check digit of NIT 900123456 is 8, not 7.',
      },
      {
        pointer: '/payload/beneficial_owners/0/document_number',
        code: 'wrong_check_digit',
        detail: 'The check digit of NIT 900123456 is 8, not 1.',
      },
    ]);
    for (const payload of [
      nit('900123456-8'),
      nit('900123456'),
      { ...nit('0614-290199-101-2'), document_country: 'SV' },
    ])
      expect(await warned(payload)).toBeUndefined();
    expect((await send({ full_name: 'Ejemplo S.A.S.', ...nit('900123456-7') })).status).toBe(201);
  });

  it('whose age contradicts its birth date is decided by the birth date, and says so', async () => {
    const { status, body } = await send({
      full_name: 'Rosalba Quintero Arbeláez',
      birth_date: '2015-01-01',
      subject_age: 40,
      country_code: 'CO',
    });
    expect(status).toBe(201);
    expect(body.data_gaps).toContainEqual({ field: 'subject_age', kind: 'conflict' });
    expect(body.findings.map(({ rule_code }) => rule_code)).toContain('SARLAFT-AGE-001');
  });

  it('may hold further members, which rules may ask for', async () => {
    const payload = {
      full_name: 'Rosalba Quintero',
      country_code: 'co',
      currency: 'cop',
      amount: 1,
      source_of_funds: { kind: 'salary' },
      nothing: null,
    };
    const { status, body } = await send(payload);
    expect([status, body.decision]).toEqual([201, 'approve']);
  });
});
