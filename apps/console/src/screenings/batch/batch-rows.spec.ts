import { describe, expect, it } from 'vitest';
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
      'c,person,DNI,Colombia,mil,01/02/1980,pesos',
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

  it.each([
    ['name\nx', ['unknown_column', 'no_reference_column']],
    ['subject_ref\n', ['empty']],
    ['', ['no_reference_column']],
    ['subject_ref\n"x\n', ['unclosed_quote']],
    [`subject_ref\n${'x\n'.repeat(MOST_ROWS + 1)}`, ['too_many_rows']],
  ])('says what is wrong with the whole: %j', (text, faults) => {
    expect(batchRows(text, 'tour').faults.map(({ fault }) => fault)).toEqual(faults);
  });
});
