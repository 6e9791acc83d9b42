import { describe, expect, it } from 'vitest';
import type { CircuitField, FieldType } from '../circuits/circuit.entity.ts';
import { fieldValues } from './field-values.ts';

const field = (key: string, type: FieldType, required = true): CircuitField => ({
  ...{ key, type, required, page: 1, x: 0, y: 0, width: 10, height: 10, signer: 'a' },
});
const OWN = [
  field('signature', 'signature'),
  field('name', 'name'),
  field('date', 'date'),
  field('city', 'text'),
  field('note', 'text', false),
  field('agrees', 'checkbox'),
  field('news', 'checkbox', false),
];
const KNOWN = { name: 'Ana', at: new Date('2026-11-22T03:00:00Z') };
const GIVEN = { city: 'Bogotá', agrees: true };

describe('the values of a signer', () => {
  it('are taken in NFC; name and date are filled in, the date as it is in Bogotá', () => {
    const { values, errors } = fieldValues(OWN, { ...GIVEN, city: ' Bogota\u0301 ', news: false }, KNOWN);
    expect(errors).toEqual([]);
    expect(values).toEqual({ name: 'Ana', date: '2026-11-21', city: 'Bogotá', agrees: true, news: false });
  });

  it('keep what the signer wrote instead', () => {
    const { values } = fieldValues(OWN, { ...GIVEN, name: 'Ana Ñ.', date: '2024-02-29', note: 'x' }, KNOWN);
    expect(values).toMatchObject({ name: 'Ana Ñ.', date: '2024-02-29', note: 'x' });
  });

  it.each([
    [{ city: '' }, '/fields/city required'],
    [{ city: null }, '/fields/city required'],
    [{ city: 5 }, '/fields/city wrong_type'],
    [{ city: true }, '/fields/city wrong_type'],
    [{ city: ['x'] }, '/fields/city wrong_type'],
    [{ note: 'x'.repeat(2001) }, '/fields/note too_long'],
    [{ agrees: false }, '/fields/agrees required'],
    [{ agrees: 'true' }, '/fields/agrees wrong_type'],
    [{ news: 1 }, '/fields/news wrong_type'],
    [{ date: '2026-02-29' }, '/fields/date wrong_format'],
    [{ date: '21/11/2026' }, '/fields/date wrong_format'],
    [{ signature: 'Ana' }, '/fields/signature not_allowed'],
    [{ 'b/c~d': 'x' }, '/fields/b~1c~0d unknown_member'],
    [{ toString: 'x' }, '/fields/toString unknown_member'],
  ])('are refused for %j', (wrong, expected) => {
    const { errors } = fieldValues(OWN, { ...GIVEN, ...wrong }, KNOWN);
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
  });

  it('are answered with everything at once, a name that nobody knows too', () => {
    const { errors } = fieldValues(OWN, { x: 1 }, { ...KNOWN, name: null });
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '/fields/x',
      '/fields/name',
      '/fields/city',
      '/fields/agrees',
    ]);
  });

  it('count characters as people do, not code units', () => {
    expect(fieldValues([field('a', 'text')], { a: '😀'.repeat(2000) }, KNOWN).errors).toEqual([]);
  });

  it('are the prefilled ones where they are left out; a locked one cannot be changed', () => {
    const own = [
      field('city', 'text'),
      { ...field('loan', 'text'), locked: true as const },
      field('news', 'checkbox', false),
    ];
    const known = { ...KNOWN, prefilled: { city: 'Bogotá', loan: '417', news: true } };
    expect(fieldValues(own, {}, known).values).toEqual({ city: 'Bogotá', loan: '417', news: true });
    expect(fieldValues(own, { city: 'Cali', loan: ' 417 ', news: false }, known).values).toEqual({ city: 'Cali', loan: '417', news: false }); // prettier-ignore
    const { errors } = fieldValues(own, { city: '', loan: '418' }, known);
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(['/fields/city required', '/fields/loan locked']); // prettier-ignore
  });

  it('of a field that is not shown are none, along a chain of conditions in any order', () => {
    const own = [
      { ...field('end', 'name'), visible_if: { field: 'middle', equals: 'sí' } },
      { ...field('middle', 'text'), visible_if: { field: 'news', equals: true } },
      field('news', 'checkbox', false),
    ];
    expect(fieldValues(own, {}, KNOWN)).toEqual({ values: {}, errors: [] });
    expect(fieldValues(own, { news: true, middle: 'sí' }, KNOWN).values).toEqual({ news: true, middle: 'sí', end: 'Ana' }); // prettier-ignore
    expect(fieldValues(own, { middle: 'sí' }, KNOWN).errors).toMatchObject([{ pointer: '/fields/middle', code: 'hidden' }]); // prettier-ignore
  });
});
