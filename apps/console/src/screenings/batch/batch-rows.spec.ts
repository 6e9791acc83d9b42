import { describe, expect, it } from 'vitest';
import { csvText } from '../../parts/csv-file.ts';
import { batchRows, MOST_ROWS } from './batch-rows.ts';

describe('a file of subjects', () => {
  it('is one screening for each line', () => {
    const { rows, faults } = batchRows(
      'subject_ref;full_name;amount;birth_date\nc-1;Ana Ruiz;12000;1980-02-29\nc-2;;;\n',
      'tour',
    );
    expect(faults).toEqual([]);
    expect(rows).toEqual([
      {
        line: 2,
        body: {
          validation_code: 'tour',
          subject_ref: 'c-1',
          subject_type: 'natural',
          payload: { full_name: 'Ana Ruiz', amount: 12000, birth_date: '1980-02-29' },
        },
      },
      { line: 3, body: { validation_code: 'tour', subject_ref: 'c-2', subject_type: 'natural', payload: {} } },
    ]);
  });

  it('is refused with every line that is wrong', () => {
    const text = [
      'subject_ref,subject_type,document_type,country_code,amount,birth_date,currency',
      ',natural,CC,CO,1,1980-01-01,COP',
      'c,person,DNI,Colombia,mil,1980-02-30,pesos',
      'd,natural',
    ].join('\n');
    expect(batchRows(text, 'tour').faults.map(({ line, fault }) => [line, fault])).toEqual([
      [2, 'subject_ref'],
      [3, 'subject_type'],
      [3, 'birth_date'],
      [3, 'document_type'],
      [3, 'country_code'],
      [3, 'amount'],
      [3, 'currency'],
      [4, 'cells'],
    ]);
  });

  it.each<[cell: string, expected: number | 'fault' | undefined]>([
    ['0', 0],
    ['1200000.50', 1_200_000.5],
    ['" 12.5 "', 12.5],
    ['" "', undefined],
    ['1.200', 'fault'],
    ['1.200.000', 'fault'],
    ['"12,5"', 'fault'],
    ['0x10', 'fault'],
    ['1e3', 'fault'],
    ['-1', 'fault'],
    ['9'.repeat(17), 'fault'],
  ])('has the amount %s as %s', (cell, expected) => {
    const { rows, faults } = batchRows(`subject_ref,amount\nc,${cell}\n`, 'tour');
    expect(faults.length > 0 ? 'fault' : rows[0]?.body.payload.amount).toBe(expected);
  });

  it('is read as UTF-8 alone: in another encoding a name would match no list', async () => {
    const lines = 'subject_ref,full_name\nc,Ana Peña\n';
    const utf8 = batchRows(await csvText(new File([lines], 'a.csv')), 'tour');
    expect(utf8.rows.map(({ body }) => body.payload.full_name)).toEqual(['Ana Peña']);
    const windows1252 = batchRows(await csvText(new File([Buffer.from(lines, 'latin1')], 'ansi.csv')), 'tour');
    expect(windows1252).toEqual({ rows: [], faults: [{ line: 1, fault: 'not_utf8', what: '' }] });
  });

  it.each([
    ['name\nx', ['unknown_column', 'no_reference_column']],
    ['subject_ref\n', ['empty']],
    ['', ['no_reference_column']],
    ['subject_ref\n"x\n', ['unclosed']],
    ['subject_ref,full_name\nc,Ana Pe\uFFFDa\n', ['letters']],
    [`subject_ref\n${'x\n'.repeat(MOST_ROWS + 1)}`, ['too_many_rows']],
  ])('says what is wrong with the whole: %j', (text, faults) => {
    expect(batchRows(text, 'tour').faults.map(({ fault }) => fault)).toEqual(faults);
  });
});
