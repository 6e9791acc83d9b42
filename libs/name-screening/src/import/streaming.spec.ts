import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ListFormat } from './detect-format.ts';
import { streamList } from './import-list.ts';

const RECORDS = 40_000;

/** A large list that is made while it is read; `made()` returns how far the reader has come. */
function endlessList(head: string, record: (index: number) => string, tail: string) {
  let made = 0;
  let closed = false;
  const pieces = function* () {
    try {
      yield Buffer.from(head);
      for (; made < RECORDS; made += 100) {
        yield Buffer.from(Array.from({ length: 100 }, (_, index) => record(made + index)).join(''));
      }
      yield Buffer.from(tail);
    } finally {
      closed = true;
    }
  };
  const file = { name: 'large', open: () => Readable.from(pieces()) };
  return { file, made: () => made, closed: () => closed };
}

const LISTS: [ListFormat, ReturnType<typeof endlessList>][] = [
  [
    'un-xml',
    endlessList(
      '<CONSOLIDATED_LIST><INDIVIDUALS>',
      (index) => `<INDIVIDUAL><DATAID>${index}</DATAID><FIRST_NAME>FICTICIO ${index}</FIRST_NAME></INDIVIDUAL>`,
      '</INDIVIDUALS></CONSOLIDATED_LIST>',
    ),
  ],
  [
    'opensanctions-csv',
    endlessList(
      'id,schema,name,aliases,birth_date,countries,identifiers\n',
      (index) => `${index},Person,Ficticio ${index},,,,\n`,
      '',
    ),
  ],
  [
    'senzing-lines',
    endlessList('', (index) => `{"RECORD_ID":"${index}","NAMES":[{"NAME_FULL":"Ficticio ${index}"}]}\n`, ''),
  ],
];

describe('a large list', () => {
  it.each(LISTS)('as %s is handed out while it is read, and let go of by who has seen enough', async (format, list) => {
    let seen = 0;
    for await (const entry of streamList(format, [list.file])) {
      expect(entry.names).toHaveLength(1);
      if (++seen === 500) break;
    }
    // What is on its way between the file and the reader stays small, however large the file is.
    expect(list.made()).toBeLessThan(RECORDS / 4);
    await new Promise((resolve) => setImmediate(resolve));
    expect(list.closed()).toBe(true);
  });
});
