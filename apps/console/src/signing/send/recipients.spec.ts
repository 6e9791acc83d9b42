import { describe, expect, it } from 'vitest';
import { tableIn, textOf } from './recipients.ts';

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
    ['\uFEFFemail;name\na@b.co;"Núñez, Ana ""La"""\n;\n'],
    ['email\tname\ra@b.co\t"Núñez, Ana ""La"""'],
  ])('is read with commas, semicolons or tabs: %j', (text) => {
    const { titles, rows } = tableIn(text, ONE);
    expect([titles, ...rows.map(({ cells }) => cells)]).toEqual([
      ['email', 'name'],
      ['a@b.co', 'Núñez, Ana "La"'],
    ]);
    const again = textOf([titles, ...rows.map(({ cells }) => cells)]);
    expect(tableIn(again, ONE)).toEqual({ titles, rows, faults: [] });
  });

  it('becomes an envelope for each row, and says what is wrong with it', () => {
    const { rows, faults } = tableIn(
      'Name,EMAIL,subject\nAna,ana@b.co,Arriendo\n\n,ana@@b.co,\nAna,Ana@B.co,Arriendo\nEva,eva@b.co\nLía,lia@b.co,,x',
      ONE,
    );
    expect(faults).toEqual([]);
    expect(rows.map(({ line, signers, subject, faults: wrong }) => [line, signers[0], subject, wrong])).toEqual([
      [2, { role: 'cliente', email: 'ana@b.co', name: 'Ana' }, 'Arriendo', []],
      [4, { role: 'cliente', email: 'ana@@b.co' }, '', ['email']],
      [5, { role: 'cliente', email: 'Ana@B.co', name: 'Ana' }, 'Arriendo', ['twice']],
      [6, { role: 'cliente', email: 'eva@b.co', name: 'Eva' }, '', ['cells']],
      [7, { role: 'cliente', email: 'lia@b.co', name: 'Lía' }, '', ['cells']],
    ]);
  });

  it('has columns for each of several signers, and what their proof needs', () => {
    expect(tableIn('cliente_email\na@b.co', TWO).faults).toEqual([
      { fault: 'missing', what: 'cliente_name, codeudor_email, codeudor_access_code' },
    ]);
    const titles = 'cliente_email,cliente_name,codeudor_email,codeudor_access_code';
    expect(tableIn(`${titles}\na@b.co,Ana,c@d.co,123`, TWO).rows[0]?.faults).toEqual(['name', 'accessCode']);
    expect(tableIn(`${titles}\na@b.co,Ana Ruiz,c@d.co,1234`, TWO).rows[0]).toMatchObject({ faults: [], warnings: [] });
    expect(tableIn(`${titles}\na@b.co,Ana Ruiz,A@b.co,1234`, TWO).rows[0]?.warnings).toEqual(['sameAddress']);
  });

  it('warns of people who are in an earlier row, under another name or subject', () => {
    const { rows } = tableIn('email,name\nana@b.co,Ana\nANA@b.co,Ana Ruiz\neva@b.co,Eva', ONE);
    expect(rows.map(({ faults, warnings }) => [...faults, ...warnings])).toEqual([[], ['again'], []]);
  });

  it.each([
    ['email,nombre,asunto\na@b.co,Ana,x', [{ fault: 'unknown', what: 'nombre, asunto' }]],
    ['email,name,Email\na@b.co,Ana,c@d.co', [{ fault: 'repeated', what: 'email' }]],
    ['email\n"a@b.co\n', [{ fault: 'unclosed', what: '2' }]],
    ['email,name\na@b.co,N\uFFFDez', [{ fault: 'letters', what: '2' }]],
    ['', [{ fault: 'missing', what: 'email' }]],
  ])('is refused as a whole: %j', (text, faults) => {
    expect(tableIn(text, ONE)).toMatchObject({ rows: [], faults });
  });
});

it('takes a number as people write it, and one without a country code as one of Colombia', () => {
  const circuit = { signers: [{ role: 'cliente', order: 1, auth: ['otp_sms' as const] }] };
  const numbers = ['300 123 4567', '(300) 123-4567', '57 300 123 4567', '0034 612 34 56 78', '+57 601 123 4567', ''];
  const table = `email,phone,name\n${numbers.map((phone, at) => `a${at}@b.co,${phone},Ana`).join('\n')}`;
  const { rows } = tableIn(table, circuit);
  expect(rows.map(({ signers, faults }) => [signers[0]?.phone, faults])).toEqual([
    ['+573001234567', []],
    ['+573001234567', []],
    ['+573001234567', []],
    ['+34612345678', []],
    ['+576011234567', ['phone']],
    [undefined, ['phone']],
  ]);
});
