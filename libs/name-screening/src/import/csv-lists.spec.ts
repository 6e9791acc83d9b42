import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCountryStatuses } from './fatf-csv.ts';
import { importList } from './import-list.ts';
import { plainCsvFaults } from './plain-csv-faults.ts';
import { plainCsvOf } from './plain-csv-text.ts';
import { file, importText, problemOf } from './text-file.fixture.ts';

// Nobody in these files exists.
const NONE = '-0- ';
const row = (...cells: string[]) => cells.map((cell) => (/^\d+$|^-0- $/.test(cell) ? cell : `"${cell}"`)).join(',');
const sdn = (id: string, name: string, type: string, programmes: string, remarks = NONE, flag = NONE) =>
  row(id, name, type, programmes, NONE, NONE, NONE, NONE, NONE, flag, NONE, remarks);
const lines = (...rows: string[]) => rows.map((line) => `${line}\r\n`).join('') + '\u001a';

const OVERFLOW = `${'Linked To: NADIE. '.repeat(3)}; DOB 15 Jan 19`;
const SDN = lines(
  sdn(
    '90001',
    'FICTICIO EJEMPLO, Ernesto',
    'individual',
    'SDNTK] [SYRIA',
    "DOB circa 1962; alt. DOB 01 Jan 1974 to 31 Dec 1974; POB Ejemplo, Colombia; nationality Colombia; citizen Korea, North; Cedula No. 1000000001 (Colombia); alt. Cedula No. V-77 (Venezuela); Cedula No. E123 (Colombia); Cedula No. T.I. 57111-1 (Colombia); Passport AD 000001 (Colombia) issued 01 Jan 2001 expires 02 Feb 2011; a.k.a. 'EL FICTICIO'; a.k.a. 'INVENTADO, Juan'; Linked To: FICTICIA, S.A.S.; (individual) [SDNTK].",
  ),
  sdn(
    '90002',
    'FICTICIA, EJEMPLO S.A.S.',
    NONE,
    'SDNTK',
    'NIT # 900000001-7 (Colombia); NIT # Provisional (Colombia).',
  ),
  sdn('90003', 'EJEMPLO FICTICIO', 'vessel', 'IRAN', 'Vessel Registration Identification IMO 9999999.', 'Panama'),
  sdn('90004', 'EP-XXX', 'aircraft', 'IFSR'),
  sdn('90005', 'LARGO, Ejemplo', 'individual', 'SDGT', OVERFLOW),
);
const ALT = lines(
  row('90001', '1', 'aka', 'FICTISIO, Ernesto', NONE),
  row('90002', '2', 'fka', 'COFIEJE; LTDA', NONE),
  row('99999', '3', 'aka', 'HUERFANO, Ejemplo', NONE),
);
const ADD = lines(
  row('90001', '1', 'Calle 1', 'Cali', 'Colombia', NONE),
  row('90002', '2', NONE, NONE, 'undetermined', NONE),
  row('99998', '3', NONE, NONE, 'Spain', NONE),
);
const COMMENTS = lines(row('90005', '55; Gender Male.'));
const ofac = (changed: Record<string, string> = {}) =>
  Object.entries({ 'sdn.csv': SDN, 'alt.csv': ALT, 'add.csv': ADD, 'sdn_comments.csv': COMMENTS, ...changed }).map(
    ([name, content]) => file(name, content),
  );

describe('the OFAC set', () => {
  it('is joined from its four files, with what hides in the remarks', async () => {
    const list = await importList('auto', ofac());
    expect(list.format).toBe('ofac-csv');
    expect(list.entries).toMatchObject([
      {
        id: '90001',
        kind: 'person',
        names: [
          { text: 'Ernesto FICTICIO EJEMPLO', quality: 'primary' },
          { text: 'Ernesto FICTISIO', quality: 'strong' },
          { text: 'EL FICTICIO', quality: 'weak' },
          { text: 'Juan INVENTADO', quality: 'weak' },
        ],
        birthDates: [
          { from: '1962-01-01', to: '1962-12-31', circa: true },
          { from: '1974-01-01', to: '1974-12-31', circa: false },
        ],
        countries: ['CO', 'KP'],
        identifiers: [
          { type: 'CC', country: 'CO', number: '1000000001' },
          { type: 'Cedula No.', country: 'VE', number: 'V-77' },
          { type: 'CE', country: 'CO', number: '123' },
          { type: 'TI', country: 'CO', number: '57111-1' },
          { type: 'PA', country: 'CO', number: 'AD 000001' },
        ],
        programmes: ['SDNTK', 'SYRIA'],
      },
      {
        kind: 'organisation',
        names: [{ text: 'FICTICIA, EJEMPLO S.A.S.' }, { text: 'COFIEJE; LTDA' }],
        identifiers: [{ type: 'NIT', country: 'CO', number: '900000001-7' }],
      },
      { kind: 'vessel', countries: ['PA'], identifiers: [{ type: 'IMO', number: '9999999' }] },
      { kind: 'aircraft', names: [{ text: 'EP-XXX' }] },
      { kind: 'person', birthDates: [{ from: '1955-01-15', to: '1955-01-15' }] },
    ]);
    expect(list.records).toEqual({ 'sdn.csv': 5, 'alt.csv': 3, 'add.csv': 3, 'sdn_comments.csv': 1 });
  });

  it('notes rows without their entry, and keeps the aliases among them when asked to', async () => {
    const [warning] = (await importList('ofac-csv', ofac())).warnings;
    expect(warning).toEqual({
      code: 'orphan_row',
      count: 2,
      examples: ['alias of 99999: HUERFANO, Ejemplo', 'address of 99998'],
    });
    const kept = await importList('ofac-csv', ofac(), { keepOrphans: true });
    expect(kept.entries.at(-1)).toMatchObject({ id: '99999', kind: 'unknown', names: [{ quality: 'primary' }] });
  });

  it('is read without the control-Z at its end', async () => {
    const list = await importList('ofac-csv', ofac({ 'sdn.csv': SDN.replace('\u001a', '') }));
    expect(list.counts.entries).toBe(5);
  });

  it('is refused when a file of the set is missing, for names would be lost', async () => {
    const files = ofac().filter(({ name }) => name !== 'alt.csv');
    expect(await problemOf(importList('auto', files))).toMatchObject({
      code: 'missing_file',
      detail: 'The OFAC set is not whole: the aliases (alt.csv) must be beside it.',
    });
    expect(await problemOf(importList('ofac-csv', [file('alt.csv', ALT)]))).toMatchObject({ code: 'missing_file' });
    expect(await problemOf(importList('auto', [file('alt.csv', ALT)]))).toMatchObject({
      code: 'wrong_format',
      detail: expect.stringContaining('sdn.csv') as string,
    });
  });

  it.each(['sdn.csv', 'alt.csv', 'add.csv'])('is refused when %s was cut inside a row', async (name) => {
    const whole = { 'sdn.csv': SDN, 'alt.csv': ALT, 'add.csv': ADD }[name] ?? '';
    const last = whole.trimEnd().lastIndexOf('\r\n', whole.length - 4) + 2;
    const lastComma = whole.lastIndexOf(',');
    for (let at = last + 1; at <= lastComma; at += 3) {
      const problem = await problemOf(importList('ofac-csv', ofac({ [name]: whole.slice(0, at) })));
      expect(problem, `cut at ${at}`).toMatchObject({ code: 'truncated', file: name });
    }
  });

  it('is refused as the wrong format, and as malformed with the line', async () => {
    const other = ofac({ 'sdn.csv': 'a,b\n1,2\n' });
    expect(await problemOf(importList('ofac-csv', other))).toMatchObject({ code: 'wrong_format', line: 1 });
    const words = ofac({ 'sdn.csv': SDN.replace('90001', 'abc') });
    expect(await problemOf(importList('ofac-csv', words))).toMatchObject({ code: 'wrong_format', line: 1 });
    const short = ofac({
      'alt.csv': ALT.replace('"aka","FICTISIO, Ernesto",', '').replace(/^/, `${ALT.split('\r\n')[1]}\r\n`),
    });
    expect(await problemOf(importList('ofac-csv', short))).toMatchObject({
      code: 'malformed',
      file: 'alt.csv',
      line: 2,
    });
  });
});

const HEADER =
  'id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,program_ids,dataset,first_seen,last_seen,last_change';
const TARGETS = `"${HEADER.split(',').join('","')}"
"NK-x1","Person","Ernesto Ficticio","EJEMPLO, Ernesto;""Fict;icio""","1962-04-17;1963","co;ru","Cali","1000000001;X1","Block","","","US-NARCO;EU-X","Ejemplo","2024-01-01T00:00:00","2026-03-04T05:06:07","2026-01-01T00:00:00"
"NK-x2","LegalEntity","Ficticia, S.A.S.","","","","","","","","","","Ejemplo","","2026-03-01T00:00:00",""
"NK-x3","Security","Bono Ficticio","","","zz","","","","","","","Ejemplo","","",""
`;

describe("OpenSanctions' simple table", () => {
  it('is read with values in quotes, and nothing left out for its schema', async () => {
    const list = await importText(TARGETS);
    expect(list).toMatchObject({ format: 'opensanctions-csv', publishedAt: '2026-03-04T05:06:07.000Z', warnings: [] });
    expect(list.entries).toMatchObject([
      {
        id: 'NK-x1',
        kind: 'person',
        names: [{ text: 'Ernesto Ficticio' }, { text: 'Ernesto EJEMPLO' }, { text: 'Fict;icio' }],
        birthDates: [
          { from: '1962-04-17', to: '1962-04-17' },
          { from: '1963-01-01', to: '1963-12-31' },
        ],
        countries: ['CO', 'RU'],
        identifiers: [
          { type: 'ID', number: '1000000001' },
          { type: 'ID', number: 'X1' },
        ],
        programmes: ['US-NARCO', 'EU-X'],
      },
      { id: 'NK-x2', kind: 'unknown', names: [{ text: 'Ficticia, S.A.S.' }] },
      { id: 'NK-x3', kind: 'unknown', countries: [] },
    ]);
  });

  it('is read with the columns of older files, and says what they lack', async () => {
    const old = TARGETS.replace('"program_ids",', '')
      .replaceAll('"","Ejemplo"', '"Ejemplo"')
      .replace('"US-NARCO;EU-X",', '');
    const list = await importText(old);
    expect(list.counts).toMatchObject({ entries: 3, programmes: 0 });
    expect(list.warnings).toEqual([
      { code: 'old_columns', count: 1, examples: ['list has no program_ids: its entries have no programmes'] },
    ]);
  });
});

const PLAIN = `id,kind,name,aliases,weak_aliases,birth_date,countries,identifiers,programmes,role,role_until
1,persona,Ernesto Ficticio,Ernest Fictif; E. Ficticio,El Fict,circa 1962,Colombia; VE,CC:CO:1000000001; PA:X1,P1; P2,Alcalde,2025-08-06
2,Organización,"Ficticia, S.A.S.",,,,,NIT:900000001-7,,,
`;

describe('a plain CSV', () => {
  it('is read with every column', async () => {
    const list = await importText(PLAIN);
    expect(list).toMatchObject({ format: 'plain-csv', warnings: [] });
    expect(list.entries).toEqual([
      {
        id: '1',
        kind: 'person',
        names: [
          { text: 'Ernesto Ficticio', quality: 'primary' },
          { text: 'Ernest Fictif', quality: 'strong' },
          { text: 'E. Ficticio', quality: 'strong' },
          { text: 'El Fict', quality: 'weak' },
        ],
        birthDates: [{ from: '1962-01-01', to: '1962-12-31', circa: true }],
        countries: ['CO', 'VE'],
        identifiers: [
          { type: 'CC', country: 'CO', number: '1000000001' },
          { type: 'PA', number: 'X1' },
        ],
        programmes: ['P1', 'P2'],
        role: { title: 'Alcalde', until: '2025-08-06' },
      },
      expect.objectContaining({ id: '2', kind: 'organisation', identifiers: [{ type: 'NIT', number: '900000001-7' }] }),
    ]);
  });

  it('is read with the two columns that it needs, with a byte order mark, and with the semicolons of Excel', async () => {
    const list = await importText('\ufeffid;name;aliases\r\n1;Ficticio;"Uno; Dos"\r\n');
    expect(list.entries[0]?.names.map((name) => name.text)).toEqual(['Ficticio', 'Uno', 'Dos']);
  });

  it('is refused with the line on which a row begins, whatever is blank or broken into lines before it', async () => {
    const text = 'id,name,role\r\n\r\n1,Ficticio,"una\r\nlínea"\r\n2,,\r\n';
    expect(await problemOf(importText(text))).toMatchObject({ code: 'malformed', line: 5 });
  });

  it('is imported as the guide shows it', async () => {
    const guide = fs.readFileSync(path.resolve(import.meta.dirname, '../../../../docs/guides/lists.md'), 'utf8');
    const example = /```csv\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
    expect((await importText(example)).counts).toMatchObject({ entries: 2, aliases: 2, identifiers: 2, birthDates: 1 });
  });

  it.each([
    ['an unknown column', 'id,name,nombre\n1,a,b\n', 'wrong_format', 1],
    ['no name column', 'id,kind\n1,person\n', 'wrong_format', 1],
    ['an empty name', 'id,name\n1,Ficticio\n2,\n', 'malformed', 3],
    ['an id used twice', 'id,name\n1,Ficticio\n1,Ejemplo\n', 'malformed', 3],
    ['an unknown kind', 'id,kind,name\n1,constructor,Ficticio\n', 'malformed', 2],
    ['a birth date that nobody can read', 'id,name,birth_date\n1,Ficticio,ayer\n', 'malformed', 2],
    ['an unknown country', 'id,name,countries\n1,Ficticio,Ruritania\n', 'malformed', 2],
    ['an identifier without a type', 'id,name,identifiers\n1,Ficticio,123\n', 'malformed', 2],
    ['a row with a cell too many', 'id,name\n1,Ficticio,x\n2,b\n', 'malformed', 2],
    ['half a row at its end', 'id,name,kind\n1,Ficticio,person\n2,b', 'truncated', 3],
    ['an open quote', 'id,name\n1,"Ficticio\n', 'truncated', 2],
    ['a quote inside a cell', 'id,name\n1,"Fic"ticio\n', 'malformed', 2],
    ['no row', 'id,name\n', 'empty', undefined],
    ['nothing at all', '', 'empty', undefined],
  ])('with %s is refused', async (_, content, code, line) => {
    const problem = await problemOf(importText(content, 'plain-csv'));
    expect(problem).toMatchObject({ code, line });
    expect(problem.detail.length).toBeGreaterThan(20);
  });

  it('is written as it is read', async () => {
    const text = [
      'id,kind,name,aliases,weak_aliases,birth_date,countries,identifiers,programmes,role,role_until',
      '1,persona,"Ficticio, ""El"" Ernesto","""Uno; Dos""; Tres",Cuatro,"circa 1962; 1970-02; 1980-01-31; 1971 to 1972","CO; VE",CC:CO:10; PA:X1; Placa:77,A; B,Alcalde,2025-08',
      '2,,Otra Ficticia,,,,,,,,',
    ].join('\n');
    const { entries } = await importText(text, 'plain-csv');
    expect(entries[0]?.birthDates).toHaveLength(4);
    expect((await importText(plainCsvOf(entries), 'plain-csv')).entries).toEqual(entries);
  });

  it('is checked row by row', async () => {
    const checked = (text: string, most = 10) => plainCsvFaults([file('internal.csv', text)], most);
    const text = 'id,name,countries\n1,Uno,\n1,Dos,\n2,,\n3,Tres,Nadaland\n';
    expect((await checked(text)).map(({ code, line }) => [code, line])).toEqual([
      ['malformed', 3],
      ['malformed', 4],
      ['malformed', 5],
    ]);
    expect(await checked(text, 2)).toHaveLength(2);
    expect(await checked('id,nombre\n1,Uno\n')).toMatchObject([{ code: 'wrong_format', line: 1 }]);
    expect(await checked('id,name\n1,Uno\n')).toEqual([]);
  });

  it('in Latin-1 is refused with the line of the first lost letter', async () => {
    const latin1 = Buffer.from('id,name\n1,Ficticio\n2,Ñandú\n', 'latin1');
    expect(await problemOf(importText(latin1, 'plain-csv'))).toMatchObject({ code: 'wrong_encoding', line: 3 });
  });

  it('that ends inside a letter is refused as cut', async () => {
    const cut = Buffer.from('id,name\n1,Ñ').subarray(0, -1);
    expect(await problemOf(importText(cut, 'plain-csv'))).toMatchObject({ code: 'truncated' });
  });
});

describe('the table of the FATF', () => {
  const importTable = (text: string) => importCountryStatuses([file('fatf.csv', text)]);
  const header = 'country_code,country_name,category,status_as_of,added\n';

  it('gives countries their status and the day of it', async () => {
    expect(
      await importTable(
        `${header}KP,Corea,call_for_action,2026-02-13,\nBO,Bolivia,increased_monitoring,2026-02-13,2025-06\n`,
      ),
    ).toMatchObject({
      asOf: '2026-02-13',
      statuses: [
        { country: 'KP', name: 'Corea', category: 'call_for_action', asOf: '2026-02-13' },
        { country: 'BO', category: 'increased_monitoring', added: '2025-06' },
      ],
    });
  });

  it.each([
    ['XQ,Nowhere,call_for_action,2026-02-13,\n', 'malformed'],
    ['KP,Corea,grey,2026-02-13,\n', 'malformed'],
    ['KP,Corea,call_for_action,February,\n', 'malformed'],
    ['KP,Corea,call_for_action,2026-02-13,\nKP,Corea,call_for_action,2026-02-13,\n', 'malformed'],
    ['', 'empty'],
  ])('is refused with the rows %j', async (rows, code) => {
    expect(await problemOf(importTable(header + rows))).toMatchObject({ code });
  });

  it('is no list of names', async () => {
    expect(await problemOf(importText(`${header}KP,Corea,call_for_action,2026-02-13,\n`))).toMatchObject({
      code: 'wrong_format',
      detail: expect.stringContaining('FATF') as string,
    });
  });
});
