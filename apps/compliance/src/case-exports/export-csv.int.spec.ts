import { CSV_FORMULA, CSV_LEADING } from '@constancia/batches';
import { typeId, uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellSql, CSV_COLUMNS, csvHeader, lineSql } from './export-csv.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database?.drop());

const PLAIN = { excel: false };

/** Texts as the store writes them into cells. */
async function cellsOf(texts: readonly string[], form = PLAIN): Promise<string[]> {
  const rows = await database.query<{ cell: string }>(
    `select ${cellSql('t', form)} as cell from unnest($1::text[]) with ordinality as given(t, nth) order by nth`,
    [texts],
  );
  return rows.map(({ cell }) => cell);
}

/** A strict reader: no relaxed quotes, no trimmed cells, the same number of columns in every line. */
const strictly = (text: string, delimiter = ','): string[][] =>
  parse(text, { delimiter, record_delimiter: '\r\n', relax_quotes: false, relax_column_count: false, trim: false });

/** What the rule says, in JavaScript: what a spreadsheet would run, behind white space and format characters too. */
function guarded(cell: string): string {
  const lead = /^[\s\p{Cf}]+/u.exec(cell)?.[0] ?? '';
  const first = [...cell.slice(lead.length, lead.length + 2)][0] ?? '';
  const runs = /[\t\r\n]/.test(lead) || '=+-@\u2212'.includes(first.normalize('NFKC').charAt(0) || 'x');
  return runs ? `'${cell}` : cell;
}

/** The code points of a bracket: `\u0009-\u000d…`. */
function codePointsOf(bracket: string): Set<number> {
  const points = new Set<number>();
  const one = String.raw`\\(?:u([0-9a-f]{4})|U([0-9a-f]{8}))`;
  for (const [, a, b, c, d] of bracket.matchAll(new RegExp(`${one}(?:-${one})?`, 'g'))) {
    const first = Number.parseInt((a ?? b) as string, 16);
    const last = c || d ? Number.parseInt((c ?? d) as string, 16) : first;
    for (let point = first; point <= last; point++) points.add(point);
  }
  return points;
}

describe('the CSV of cases', () => {
  it('has the columns of the contract, a header always, and CRLF', () => {
    expect(csvHeader(PLAIN)).toBe(
      'case_id,opened_at,resolved_at,status,priority,subject_type,subject_ref,full_name,document_type,document_number,' +
        'country_code,validation_code,validation_version,screening_id,screening_decision,screening_score,rules_fired,list_hits,' +
        'list_versions,final_decision,decision_reason,assignee,escalated_at,escalation_reason,reopened_count,' +
        'four_eyes_approver,ros_reference,timeline_head_hash\r\n',
    );
    expect(csvHeader({ excel: true }, ['case_id', 'opened_at'])).toBe('\ufeffcase_id;opened_at (UTC)\r\n');
  });

  it('writes a case without anything in it, and numbers as they are', async () => {
    const [nothing] = await database.query<{ line: string }>(
      `select ${lineSql(PLAIN)} as line from (select gen_random_uuid() as id, gen_random_uuid() as screening_id) ids,
              lateral (select null::timestamptz as opened_at, null::timestamptz as resolved_at, null::timestamptz as escalated_at,
                null::text as status, null::text as priority, null::text as subject_type, null::text as subject_ref,
                '{}'::jsonb as subject, null::text as validation_code, 1 as validation_version,
                null::text as screening_decision, -5::bigint as screening_score, '{}'::text[] as rules_fired,
                '{}'::text[] as list_hits, '{}'::jsonb as list_versions, null::text as decision, null::text as decision_reason,
                null::text as assignee, null::text as escalation_reason, 0 as reopened_count,
                null::text as four_eyes_approver, null::text as ros_reference, null::text as head_hash) empty`,
    );
    const [line] = strictly(`${nothing?.line}\r\n`);
    expect(line).toHaveLength(CSV_COLUMNS.length);
    expect([line?.[0], line?.[13]]).toEqual([expect.stringMatching(/^cas_/), expect.stringMatching(/^scr_/)]);
    expect([line?.[12], line?.[15], line?.[24]]).toEqual(['1', '-5', '0']);
    expect(line?.filter((cell) => cell !== '')).toHaveLength(5);
  });

  it('writes identifiers as the API does', async () => {
    const ids = [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      ...Array.from({ length: 50 }, () => uuidv7()),
    ];
    const rows = await database.query<{ id: string }>(
      `select compliance.type_id('cas', t) as id from unnest($1::uuid[]) with ordinality as given(t, nth) order by nth`,
      [ids],
    );
    expect(rows.map(({ id }) => id)).toEqual(ids.map((id) => typeId('cas', id)));
  });

  it('knows every character that may hide before a formula, and every one that begins one', () => {
    const [leading, formula] = [codePointsOf(CSV_LEADING), codePointsOf(CSV_FORMULA)];
    const wrong: number[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      const begins = '=+-@\u2212'.includes(character.normalize('NFKC').charAt(0) || 'x');
      if (leading.has(point) !== /[\s\p{Cf}]/u.test(character) || formula.has(point) !== begins) wrong.push(point);
    }
    expect(wrong).toEqual([]);
  });

  it('puts an apostrophe before what a spreadsheet would run', async () => {
    const cells = [
      '=cmd|/c calc!A1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=x', '  =x', '\u00a0=x', '\u200b=x', '\ufeff=x', '\u{e0001}=x',
      '＝x', '＋x', '－x', '＠x', '﹦x', '−1', ' \t-x', '⁼x', '⩵x',
    ]; // prettier-ignore
    const read = (await cellsOf(cells)).map((cell) => strictly(`${cell}\r\n`)[0]?.[0]);
    expect(read).toEqual(cells.map((cell) => `'${cell}`));
  });

  it('leaves anything else as it is', async () => {
    const cells = [
      'Rosa',
      'a=b',
      'a-b',
      '1-2',
      ' x',
      '"quoted"',
      "o'neil",
      '😀',
      'a\r\nb',
      'línea\nnueva',
      ',;"',
      '"=x',
    ];
    const read = (await cellsOf(cells)).map((cell) => strictly(`${cell}\r\n`)[0]?.[0]);
    expect(read).toEqual(cells);
    expect(await cellsOf(['a;b', 'a,b'])).toEqual(['a;b', '"a,b"']);
    expect(await cellsOf(['a;b', 'a,b'], { excel: true })).toEqual(['"a;b"', 'a,b']);
    expect(await cellsOf(['', 'x'])).toEqual(['', 'x']);
  });

  it('comes back whole from a strict reader, whatever the cells, and no cell is a formula', async () => {
    const nasty = fc.stringMatching(/^[=+\-@\t\r\n ,;"'＝a1]{1,12}$/);
    const text = fc.oneof(
      nasty,
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'binary', minLength: 1 }),
    );
    const storable = text.filter((cell) => !cell.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(storable, { minLength: 1, maxLength: 20 }), fc.boolean(), async (cells, excel) => {
        const line = (await cellsOf(cells, { excel })).join(excel ? ';' : ',');
        const [read] = strictly(`${line}\r\n`, excel ? ';' : ',');
        expect(read).toEqual(cells.map(guarded));
        for (const cell of read ?? []) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/u);
      }),
      { numRuns: 150 },
    );
  });
});
