import { type CsvRow, csvRows, UnclosedQuote } from './csv-rows.ts';

/** The `accept` of a file field for tables. */
export const TEXT_FILES = '.csv,.tsv,.txt,text/csv,text/plain';

/** The text of a file in UTF-8; null when it is in another encoding, as Excel's older CSV files are, or cannot be read. */
export async function csvText(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** Whether letters of a text were lost before it came here: it was read in a wrong encoding. */
export const hasLostLetters = (text: string): boolean => text.includes('\uFFFD');

/** What is wrong with a table before its cells are looked at. `letters`: some were lost before the text came here. */
export interface CsvFault {
  fault: 'letters' | 'unclosed';
  line: number;
}

/** The rows of a table that was pasted or read from a file, whose first line is 1. */
export function readCsv(text: string): { rows: CsvRow[]; faults: CsvFault[] } {
  const faults: CsvFault[] = hasLostLetters(text) ? [{ fault: 'letters', line: lineOfLostLetter(text) }] : [];
  try {
    return { rows: csvRows(text), faults };
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    return { rows: [], faults: [...faults, { fault: 'unclosed', line: error.line }] };
  }
}

const lineOfLostLetter = (text: string): number => text.slice(0, text.indexOf('\uFFFD')).split(/\r\n?|\n/).length;
