import { describe, expect, it } from 'vitest';
import { documentFault, documentProblem, nitCheckDigit, plainDocumentNumber } from './documents.ts';

describe('document numbers', () => {
  it.each([
    ['CC', 'CO', '79.123.456'],
    ['CC', 'CO', '1020304050'],
    ['CC', 'co', '123'],
    ['CC', 'VE', 'V-12345678'],
    ['TI', 'CO', '1020304050'],
    ['TI', 'CO', '99123112345'],
    ['TI', 'CO', '00022912345'],
    ['CE', 'CO', '654321'],
    ['CE', 'VE', '1234567'],
    ['PPT', 'VE', '5123456'],
    ['PA', 'CO', 'AB123456'],
    ['PA', 'DE', 'C01X00T47'],
    ['NIT', 'CO', '900123456'],
    ['NIT', 'CO', '900.123.456-8'],
    ['NIT', 'CO', '9001234568'],
    ['NIT', 'CO', '1020304050'],
    ['NIT', 'SV', '0614-290199-101-2'],
  ])('%s of %s %s is possible', (type, country, number) => {
    expect(documentProblem(type, country, number)).toBeNull();
  });

  it.each([
    ['CC', 'CO', '12', '3 to 8 digits'],
    ['CC', 'CO', '123456789', '3 to 8 digits'],
    ['CC', 'CO', '2020304050', 'begin with 1'],
    ['CC', 'CO', '01234567', '3 to 8 digits'],
    ['CC', 'CO', 'ABC12345', '3 to 8 digits'],
    ['CC', 'VE', '!!', '3 to 20'],
    ['TI', 'CO', '99023112345', 'birth date'],
    ['TI', 'CO', '123456789', '10 digits'],
    ['CE', 'VE', '123456789', '3 to 8 digits'],
    ['PPT', 'CO', '12X', '4 to 11 digits'],
    ['PA', 'CO', 'AB12', '6 to 9'],
    ['PA', 'US', 'ABCDEFGH', 'a digit'],
    ['NIT', 'CO', '900.123.456-1', 'is 8, not 1'],
    ['NIT', 'CO', '9001234561', 'is 8, not 1'],
    ['NIT', 'CO', '12345', '6 to 10 digits'],
    ['NIT', 'CO', '900123456789', '6 to 10 digits'],
    ['CC', 'CO', ' - ', 'empty'],
    ['DNI', 'ES', '12345678', 'none of the document types'],
  ])('%s of %s %s is not: %s', (type, country, number, part) => {
    expect(documentProblem(type, country, number)).toContain(part);
  });

  it('names what is wrong with a word', () => {
    expect(documentFault('NIT', 'CO', '900123456-1')?.code).toBe('wrong_check_digit');
    expect(documentFault('NIT', 'CO', '12345')?.code).toBe('wrong_format');
    expect(documentFault('NIT', 'CO', '900123456-8')).toBeNull();
  });

  it('computes the check digit of published NITs', () => {
    // Banco de la República 860005216-7, Ecopetrol 899999068-1, DIAN 800197268-4: companies, not people.
    expect(['860005216', '899999068', '800197268'].map(nitCheckDigit)).toEqual([7, 1, 4]);
  });

  it('reads numbers however they are punctuated', () => {
    expect(plainDocumentNumber(' ab 12.345–6 ')).toBe('AB123456');
  });
});
