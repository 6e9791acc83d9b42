import { describe, expect, it } from 'vitest';
import { cedulaEvidence, mrzEvidence } from './evidence-of.ts';
import type { DocumentEvidence, SourceEvidence } from './evidence.ts';
import { judgeDocument } from './judge.ts';
import { td1Lines, td3Lines } from './rendered/mrz-card.fixture.ts';
import type { MrzFields } from './rendered/mrz-card.fixture.ts';

const DAY = '2026-11-21';
const RECORD = {
  prefix: '03',
  documentNumber: '1032456789',
  surnames: 'NUÑEZ GÜIZA',
  givenNames: 'MARÍA',
  sex: 'F',
  birthDate: '1994-02-28',
} as const;
const CEDULA = cedulaEvidence(RECORD);
const FIELDS: MrzFields = {
  code: 'IC',
  issuer: 'COL',
  documentNumber: '123456789',
  surnames: 'NUÑEZ GÜIZA',
  givenNames: 'MARÍA',
  birthDate: '1994-02-28',
  expiryDate: '2033-11-12',
  sex: 'F',
  nationality: 'COL',
  optional: '1032456789',
};
const EXPECTED = { documentType: 'CC', documentNumber: '1.032.456.789', country: 'CO' } as const;

const mrz = (lines: string[]): SourceEvidence => mrzEvidence(lines, DAY) as SourceEvidence;
const printed = (surnames: string, givenNames: string): SourceEvidence => ({
  source: 'front',
  kind: null,
  fields: {
    surnames: { value: surnames, confidence: 0.9, checks: [] },
    given_names: { value: givenNames, confidence: 0.9, checks: [] },
  },
});
const judge = (sources: SourceEvidence[], expected = {}, more: Partial<DocumentEvidence> = {}) =>
  judgeDocument({ sources, quality: [], ...more }, expected, DAY);
const withCell = (line: string, at: number, cell: string) => line.slice(0, at) + cell + line.slice(at + 1);
const other = (digit: string | undefined) => String((Number(digit) + 1) % 10);

describe('a name', () => {
  it('is trusted when barcode and printed front agree', () => {
    const verdict = judge([CEDULA, printed('NUÑEZ GÜIZA', 'MARÍA')], EXPECTED);
    expect(verdict).toMatchObject({ outcome: 'pass', reasons: [], nameTrusted: true, kind: 'cc_yellow' });
    expect(verdict.fields.surnames?.checks).toEqual(['error_correction', 'agrees:front']);
  });

  it('is trusted when MRZ and front agree in the MRZ’s alphabet', () => {
    expect(judge([mrz(td1Lines(FIELDS)), printed('NUÑEZ GÜIZA', 'MARÍA')], EXPECTED)).toMatchObject({
      outcome: 'pass',
      nameTrusted: true,
    });
  });

  it.each([
    ['a barcode', CEDULA],
    ['an MRZ with all check digits right', mrz(td1Lines(FIELDS))],
  ])('that only %s gives sends to review', (_, source) => {
    const verdict = judge([source], EXPECTED);
    expect(verdict).toMatchObject({ outcome: 'review', reasons: ['name_unconfirmed'], nameTrusted: false });
    expect(verdict.fields.document_number?.trusted).toBe(true);
  });

  it.each([
    ['NUÑEZ GUZA', 'MARÍA'],
    ['NUÑEZ GÜIZA', 'MARIO'],
    ['NUÑEZ', 'MARÍA'],
  ])('that the front gives as %s, %s is not trusted', (surnames, givenNames) => {
    const verdict = judge([CEDULA, printed(surnames, givenNames)], EXPECTED);
    expect(verdict).toMatchObject({ outcome: 'review', nameTrusted: false });
    expect(verdict.reasons).toContain('sources_disagree');
  });
});

describe('what the session was opened with', () => {
  it.each([
    ['another number', { ...EXPECTED, documentNumber: '1032456780' }],
    ['another type', { ...EXPECTED, documentType: 'TI' as const }],
    ['another country', { ...EXPECTED, country: 'EC' }],
  ])('%s: retry, document_mismatch', (_, expected) => {
    expect(judge([CEDULA, printed('NUÑEZ GÜIZA', 'MARÍA')], expected)).toMatchObject({
      outcome: 'retry',
      reasons: ['document_mismatch'],
    });
  });

  it('a foreigner’s card passes under its own country and the holder’s', () => {
    const card = mrz(td1Lines({ ...FIELDS, code: 'I', documentNumber: '409506', nationality: 'VEN', optional: '' }));
    for (const country of ['CO', 'VE']) {
      const expected = { documentType: 'CE', documentNumber: '409506', country } as const;
      expect(judge([card, printed('NUÑEZ GÜIZA', 'MARÍA')], expected)).toMatchObject({ outcome: 'pass', kind: 'ce' });
    }
    expect(judge([card], { documentType: 'PPT', documentNumber: '409506', country: 'CO' }).kind).toBe('ppt');
    expect(judge([card], { documentType: 'CC', documentNumber: '409506', country: 'CO' }).reasons).toEqual([
      'document_mismatch',
    ]);
  });

  it('a passport passes with its number, letters and all', () => {
    const passport = mrz(td3Lines({ ...FIELDS, code: 'P', documentNumber: 'AO123456' }));
    const expected = { documentType: 'PA', documentNumber: 'ao 123456', country: 'CO' } as const;
    expect(judge([passport, printed('NUÑEZ GÜIZA', 'MARÍA')], expected)).toMatchObject({
      outcome: 'pass',
      kind: 'passport',
    });
  });
});

describe('check digits', () => {
  const [first, second, third] = td1Lines(FIELDS) as [string, string, string];
  const front = printed('NUÑEZ GÜIZA', 'MARÍA');

  it('a wrong composite digit of the digital cédula sends to review, not back', () => {
    const verdict = judge([mrz([first, withCell(second, 29, other(second[29])), third]), front], EXPECTED);
    expect(verdict).toMatchObject({ outcome: 'review', reasons: ['check_digit'], checkDigits: { composite: false } });
    expect(verdict.fields.document_number?.trusted).toBe(false);
  });

  it('a field’s and the composite digit wrong: misread, retry', () => {
    expect(judge([mrz([first, withCell(second, 1, other(second[1])), third]), front], EXPECTED)).toMatchObject({
      outcome: 'retry',
      reasons: ['unreadable'],
    });
  });
});

describe('time', () => {
  const front = printed('NUÑEZ GÜIZA', 'MARÍA');

  it('an expired document is rejected', () => {
    const verdict = judge([mrz(td1Lines({ ...FIELDS, expiryDate: '2026-11-20' })), front], EXPECTED);
    expect(verdict).toMatchObject({ outcome: 'reject', reasons: ['document_expired'] });
  });

  it('one that expires today is not', () => {
    expect(judge([mrz(td1Lines({ ...FIELDS, expiryDate: DAY })), front], EXPECTED).outcome).toBe('pass');
  });

  it('a birth date that is no day sends to review', () => {
    const verdict = judge([cedulaEvidence({ ...RECORD, birthDate: null }), front], EXPECTED);
    expect(verdict).toMatchObject({ outcome: 'review', reasons: ['doubtful_date'] });
  });
});

describe('nothing read', () => {
  it('is a retry that says what was wrong with the picture first', () => {
    const quality = [
      {
        side: 'back' as const,
        width: 400,
        height: 300,
        sharpness: 10,
        glare: 0,
        skewDegrees: null,
        reasons: ['too_small' as const, 'blurred' as const],
      },
    ];
    expect(judge([], EXPECTED, { quality, wrongSide: true })).toMatchObject({
      outcome: 'retry',
      reasons: ['too_small', 'blurred', 'wrong_side', 'unreadable'],
      fields: {},
      nameTrusted: false,
    });
  });
});
