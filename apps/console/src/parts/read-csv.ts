import { hasLostLetters } from './csv-file.ts';
import { type CsvRow, csvRows, UnclosedQuote } from './csv-rows.ts';

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
