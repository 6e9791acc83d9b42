import { describe, expect, it } from 'vitest';
import { linesIn, textOf } from './lines-in.ts';
import { tableIn } from './recipients.ts';

const ONE = { signers: [{ role: 'cliente', order: 1, auth: ['otp_email' as const] }] };
const TWO = {
  signers: [
    { role: 'cliente', order: 1, auth: ['identity' as const] },
    { role: 'codeudor', order: 2, auth: ['access_code' as const] },
  ],
};

describe('a pasted table', () => {
  it.each([
    ['email,name\r\n"a@b.co","Núñez, Ana ""La"""\r\n\r\n'],
    ['\uFEFFemail;name\na@b.co;"Núñez, Ana ""La"""\n'],
    ['email\tname\na@b.co\t"Núñez, Ana ""La"""'],
  ])('is read with commas, semicolons or tabs: %j', (text) => {
    expect(linesIn(text)).toEqual([
      ['email', 'name'],
      ['a@b.co', 'Núñez, Ana "La"'],
    ]);
    expect(linesIn(textOf(linesIn(text)))).toEqual(linesIn(text));
  });

  it('becomes an envelope for each row, and says what is wrong with it', () => {
    const { rows, missing } = tableIn(
      'Name,EMAIL,subject\nAna,ana@b.co,Arriendo\n,ana@@b.co,\nAna,ana@b.co,Arriendo',
      ONE,
    );
    expect(missing).toEqual([]);
    expect(rows.map(({ line, signers, subject, faults }) => [line, signers, subject, faults])).toEqual([
      [2, [{ role: 'cliente', email: 'ana@b.co', name: 'Ana' }], 'Arriendo', []],
      [3, [{ role: 'cliente', email: 'ana@@b.co' }], '', ['email']],
      [4, [{ role: 'cliente', email: 'ana@b.co', name: 'Ana' }], 'Arriendo', ['twice']],
    ]);
  });

  it('has columns for each of several signers, and what their proof needs', () => {
    expect(tableIn('cliente_email\na@b.co', TWO).missing).toEqual([
      'cliente_name',
      'codeudor_email',
      'codeudor_access_code',
    ]);
    const titles = 'cliente_email,cliente_name,codeudor_email,codeudor_access_code';
    expect(tableIn(`${titles}\na@b.co,Ana,c@d.co,123`, TWO).rows[0]?.faults).toEqual(['name', 'accessCode']);
    expect(tableIn(`${titles}\na@b.co,Ana Ruiz,c@d.co,1234`, TWO).rows[0]?.faults).toEqual([]);
  });
});
