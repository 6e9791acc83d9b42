import { describe, expect, it } from 'vitest';
import { mrzEvidence } from '../evidence-of.ts';
import { judgeDocument } from '../judge.ts';
import { td1Lines } from '../rendered/mrz-card.fixture.ts';
import { checkDigit, fits } from './check-digits.ts';
import { parseMrz } from './parse-mrz.ts';

const DAY = '2026-11-21';

/** The specimens printed in ICAO Doc 9303, parts 3 to 6: Anna Maria Eriksson of Utopia. */
const TD1 = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'];
const TD2 = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];
const TD3 = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];

describe('check digits of ICAO 9303', () => {
  it.each([
    ['520727', 3],
    ['AB2134<<<', 5],
    ['L898902C3', 6],
    ['740812', 2],
    ['ZE184226B<<<<<', 1],
  ])('of %s is %d', (text, digit) => {
    expect(checkDigit(text)).toBe(digit);
  });

  it('takes a filler for the digit of an empty field only', () => {
    expect(fits('<<<<<<', '<')).toBe(true);
    expect(fits('A<<<<<', '<')).toBe(false);
  });
});

describe('the specimens of ICAO 9303', () => {
  it.each([
    ['TD1', TD1, 'D23145890', ''],
    ['TD2', TD2, 'D23145890', ''],
    ['TD3', TD3, 'L898902C3', 'ZE184226B'],
  ] as const)('%s is read with all its check digits right', (format, lines, documentNumber, optional) => {
    const record = parseMrz(lines, DAY);
    expect(record).toMatchObject({
      format,
      issuer: 'UTO',
      nationality: 'UTO',
      documentNumber,
      optional,
      surnames: 'ERIKSSON',
      givenNames: 'ANNA MARIA',
      birthDate: '1974-08-12',
      expiryDate: '2012-04-15',
      sex: 'F',
    });
    expect(Object.values(record?.checkDigits ?? {})).not.toContain(false);
    expect(record?.kind).toBe(format === 'TD3' ? 'passport' : null);
  });

  it('a document number of more than nine characters goes on in the optional data (9303-5, 4.2.2)', () => {
    const lines = [
      'I<UTOD23145890<7349<<<<<<<<<<<',
      '3407127M9507122UTO<<<<<<<<<<<2',
      'STEVENSON<<PETER<JOHN<<<<<<<<<',
    ];
    expect(parseMrz(lines, DAY)).toMatchObject({
      documentNumber: 'D23145890734',
      optional2: '',
      checkDigits: { document_number: true, composite: true },
    });
  });
});

describe('an MRZ', () => {
  it.each([
    ['two lines of thirty', TD1.slice(0, 2)],
    ['a line too short', [TD1[0] as string, (TD1[1] as string).slice(1), TD1[2] as string]],
    ['a character that none has', [TD3[0] as string, (TD3[1] as string).replace('U', 'u')]],
    ['nothing', []],
  ])('is not made of %s', (_, lines) => {
    expect(parseMrz(lines, DAY)).toBeNull();
  });

  it('with every single digit altered has a wrong check digit', () => {
    const second = TD3[1] as string;
    [...second].forEach((cell, at) => {
      if (!/\d/.test(cell)) return;
      const altered = `${second.slice(0, at)}${(Number(cell) + 1) % 10}${second.slice(at + 1)}`;
      const digits = parseMrz([TD3[0] as string, altered], DAY)?.checkDigits ?? {};
      expect(Object.values(digits)).toContain(false);
    });
  });

  it('keeps days that do not exist out', () => {
    const lines = td1Lines({ ...CEDULA, birthDate: '1990-02-30' });
    expect(parseMrz(lines, DAY)?.birthDate).toBeNull();
  });

  it.each([
    ['2008-05-01', '2008-05-01'],
    ['1930-05-01', '1930-05-01'],
    ['1926-12-31', '1926-12-31'],
  ])('knows the century of a birth on %s', (birthDate, read) => {
    expect(parseMrz(td1Lines({ ...CEDULA, birthDate }), DAY)?.birthDate).toBe(read);
  });

  it.each(['D<<', 'COL', 'VEN', 'XXA'])('knows the code %s', (nationality) => {
    const evidence = mrzEvidence(td1Lines({ ...CEDULA, code: 'I', nationality }), DAY);
    expect(evidence?.fields.nationality?.checks).toEqual(['known_code']);
  });
});

const CEDULA = {
  code: 'IC',
  issuer: 'COL',
  documentNumber: '000012345',
  surnames: 'PEÑALOZA GÜIZA',
  givenNames: 'MARÍA JOSÉ',
  birthDate: '1991-03-07',
  expiryDate: '2033-11-12',
  sex: 'F',
  nationality: 'COL',
  optional1: '11001',
  optional: '1010234567',
} as const;

describe('the digital cédula', () => {
  it('has the NUIP as its number, from the optional data, and its serial beside it', () => {
    const evidence = mrzEvidence(td1Lines(CEDULA), DAY);
    expect(evidence?.kind).toBe('cc_digital');
    expect(evidence?.fields.document_number).toEqual({
      value: '1010234567',
      confidence: 1,
      checks: ['composite_digit'],
    });
    expect(evidence?.optionalNumber).toBe('000012345');
  });

  it('writes N for Ñ and no accents', () => {
    expect(mrzEvidence(td1Lines(CEDULA), DAY)?.fields.surnames?.value).toBe('PENALOZA GUIZA');
  });

  it('says so when its composite digit is wrong', () => {
    const [first, second, third] = td1Lines(CEDULA) as [string, string, string];
    const altered = `${second.slice(0, 29)}${(Number(second[29]) + 1) % 10}`;
    expect(mrzEvidence([first, altered, third], DAY)?.fields.document_number?.checks).toEqual([
      'failed:composite_digit',
    ]);
  });

  it('reports doubtful characters in fields without a check digit of their own, though all check digits fit', () => {
    const lines = td1Lines(CEDULA);
    const sureness = lines.map((line) => [...line].map(() => 0.99));
    for (const [line, cell] of [
      [1, 20],
      [1, 15],
      [2, 3],
      [0, 6],
    ] as const)
      (sureness[line] as number[])[cell] = 0.4;
    const evidence = mrzEvidence(lines, DAY, sureness);
    expect(Object.values(evidence?.checkDigits ?? {})).not.toContain(false);
    expect(evidence?.fields).toMatchObject({
      document_number: { confidence: 0.4, checks: ['composite_digit', 'doubtful_characters'] },
      nationality: { confidence: 0.4, checks: ['known_code', 'doubtful_characters'] },
      surnames: { confidence: 0.4, checks: ['doubtful_characters'] },
      birth_date: { confidence: 0.99, checks: ['check_digit'] },
    });
    const judged = (sources: NonNullable<typeof evidence>[]) => judgeDocument({ sources, quality: [] }, {}, DAY);
    const alone = judged([evidence as NonNullable<typeof evidence>]);
    expect(alone.reasons).toContain('doubtful_number');
    expect(alone.fields.document_number).toMatchObject({ trusted: false });
    const sure = judged([mrzEvidence(lines, DAY) as NonNullable<typeof evidence>]);
    expect(sure.reasons).not.toContain('doubtful_number');
    expect(sure.fields.document_number).toMatchObject({ trusted: true });
  });
});
