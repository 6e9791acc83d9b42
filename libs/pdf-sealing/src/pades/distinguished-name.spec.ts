import { describe, expect, it } from 'vitest';
import { distinguishedName, nameText, nameProblem } from './distinguished-name.ts';

describe('a distinguished name', () => {
  it.each([
    'CN=Constancia, O=Constancia, C=CO',
    'CN=Sello del Banco, OU=Firma, O=Banco\\, S.A., SERIALNUMBER=900123456-7, C=CO',
    'CN=漢 ñ',
  ])('is written as it was read: %s', (text) => {
    const name = distinguishedName(text);
    expect(nameText(name)).toBe(text);
    const der = Buffer.from(name.toSchema().toBER());
    const sets = text.split(/(?<!\\),/).length;
    expect(name.typesAndValues).toHaveLength(sets);
    // A part each, the country first.
    expect(der.filter((byte, index) => byte === 0x31 && der[index + 2] === 0x30)).toHaveLength(sets);
  });

  it.each([
    ['', /these?|this is none/],
    ['Constancia', /CN=, O=, C=/],
    ['CN=', /1 to 64/],
    [`CN=${'x'.repeat(65)}`, /1 to 64/],
    ['X=1', /this is none: X=1/],
    ['C=Colombia', /two capital letters/],
    ['CN=a, C=có', /cannot stand there/],
  ])('is refused with a sentence: %s', (text, sentence) => {
    expect(nameProblem(text)).toMatch(sentence);
  });
});
