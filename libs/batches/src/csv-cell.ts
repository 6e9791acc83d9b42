/** How a file is written: as RFC 4180 says, or as Excel in Spanish opens it by a double click. */
export interface CsvForm {
  excel: boolean;
}

/**
 * What may stand before a formula and go unseen: JavaScript's `\s` and the format characters (Cf), as a bracket of PostgreSQL's
 * regular expressions, which know no Unicode properties.
 */
export const CSV_LEADING =
  '\\u0009-\\u000d\\u0020\\u00a0\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u1680\\u180e\\u2000-\\u200f' +
  '\\u2028-\\u202f\\u205f-\\u2064\\u2066-\\u206f\\u3000\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f' +
  '\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0001\\U000e0020-\\U000e007f';

/** What makes a formula of a cell: = + - @ and U+2212, and every character whose compatibility form (NFKC) begins with one. */
export const CSV_FORMULA =
  '\\u002b\\u002d\\u003d\\u0040\\u207a-\\u207c\\u208a-\\u208c\\u2212\\u2a75-\\u2a76\\ufb29\\ufe62-\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d' +
  '\\uff1d\\uff20';

/** A text that a spreadsheet would run: it gets an apostrophe before it. */
export const CSV_RUNS = `^[${CSV_LEADING}]*[${CSV_FORMULA}\\t\\r\\n]`;

export const csvSeparator = ({ excel }: CsvForm): string => (excel ? ';' : ',');

/** As JavaScript writes the characters beyond the first 65,536. */
const RUNS_HERE = new RegExp(CSV_RUNS.replace(/\\U0*([0-9a-f]+)/g, '\\u{$1}'), 'u');

/** One cell, guarded and quoted as compliance.csv_cell does it in SQL. */
export function csvCell(text: string | null | undefined, form: CsvForm): string {
  if (text === null || text === undefined) return '';
  const guarded = RUNS_HERE.test(text) ? `'${text}` : text;
  const quoted = ['"', '\r', '\n', csvSeparator(form)].some((special) => guarded.includes(special));
  return quoted ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
