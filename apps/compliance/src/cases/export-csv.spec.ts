import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CSV_COLUMNS, csvHeader, csvLines, type ExportedCase, guarded } from './export-csv.ts';

const ROW: ExportedCase = {
  id: '019aa3c1-5e2f-7b1c-9f40-3d2a7c8e1b55',
  opened_at: '2026-11-21T15:04:05.678Z',
  resolved_at: null,
  status: 'open',
  priority: 'high',
  subject_type: 'natural',
  subject_ref: 'customer-1',
  full_name: 'Rosa Ejemplo',
  document_type: 'CC',
  document_number: '1000000001',
  country_code: 'CO',
  validation_code: 'default',
  validation_version: 1,
  screening_id: '019aa3c1-5e2f-7b1c-9f40-3d2a7c8e1b56',
  screening_decision: 'review',
  screening_score: -5,
  rules_fired: 'SARLAFT-PEP-001|SARLAFT-AMT-001',
  list_hits: 'PEP',
  list_versions: 'PEP=1',
  final_decision: null,
  decision_reason: null,
  assignee: null,
  escalated_at: null,
  escalation_reason: null,
  reopened_count: 0,
  four_eyes_approver: null,
  ros_reference: null,
  timeline_head_hash: 'ab'.repeat(32),
};
const PLAIN = { excel: false };

/** A strict reader: no relaxed quotes, no trimmed cells, the same number of columns in every line. */
const strictly = (text: string, delimiter = ','): string[][] =>
  parse(text, { delimiter, record_delimiter: '\r\n', relax_quotes: false, relax_column_count: false, trim: false });

describe('the CSV of cases', () => {
  it('has the columns of the contract, a header always, and CRLF after every line', () => {
    const text = csvHeader(PLAIN) + csvLines([ROW, ROW], PLAIN);
    const [header, first, ...rest] = strictly(text);
    expect(header).toEqual(CSV_COLUMNS);
    expect(header?.join(',')).toBe(
      'case_id,opened_at,resolved_at,status,priority,subject_type,subject_ref,full_name,document_type,document_number,' +
        'country_code,validation_code,validation_version,screening_id,screening_decision,screening_score,rules_fired,list_hits,' +
        'list_versions,final_decision,decision_reason,assignee,escalated_at,escalation_reason,reopened_count,' +
        'four_eyes_approver,ros_reference,timeline_head_hash',
    );
    expect(first?.[0]).toMatch(/^cas_/);
    expect(rest).toHaveLength(1);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.charCodeAt(0)).not.toBe(0xfeff);
  });

  it('for Excel in Spanish begins with a byte order mark and has semicolons', () => {
    const form = { excel: true };
    const text = csvHeader(form) + csvLines([{ ...ROW, full_name: 'a;b' }], form);
    expect(text.charCodeAt(0)).toBe(0xfeff);
    expect(strictly(text.slice(1), ';')[1]?.[7]).toBe('a;b');
  });

  it.each([
    '=cmd|/c calc!A1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=x', '  =x', '\u00a0=x', '\u200b=x', '\ufeff=x',
    '＝x', '＋x', '－x', '＠x', '﹦x', '−1', ' \t-x', '"=x'.slice(1),
  ])('puts an apostrophe before %j', (cell) => {
    expect(guarded(cell)).toBe(`'${cell}`);
    const [line] = strictly(csvLines([{ ...ROW, full_name: cell }], PLAIN));
    expect(line?.[7]).toBe(`'${cell}`);
  }); // prettier-ignore

  it.each(['Rosa', 'a=b', 'a-b', '1-2', '', ' x', '"quoted"', "o'neil", '😀', 'a\r\nb', 'línea\nnueva', ',;"'])(
    'leaves %j as it is',
    (cell) => {
      const [line] = strictly(csvLines([{ ...ROW, full_name: cell }], PLAIN));
      expect(line?.[7]).toBe(cell);
    },
  );

  it('never touches numbers', () => {
    const [line] = strictly(csvLines([ROW], PLAIN));
    expect(line?.[15]).toBe('-5');
  });

  it('comes back whole from a strict reader, whatever the cells, and no cell is a formula', () => {
    const nasty = fc.stringMatching(/^[=+\-@\t\r\n ,;"'＝a1]{0,12}$/);
    const cell = fc.oneof(nasty, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), fc.boolean(), (pairs, excel) => {
        const rows = pairs.map(([full_name, decision_reason]) => ({ ...ROW, full_name, decision_reason }));
        const read = strictly(csvLines(rows, { excel }), excel ? ';' : ',');
        expect(read.map((line) => [line[7], line[20]])).toEqual(pairs.map((pair) => pair.map(guarded)));
        for (const line of read) expect(line[7]).not.toMatch(/^\s*[=+\-@＝＋－＠]/u);
      }),
      { numRuns: 200 },
    );
  });
});
