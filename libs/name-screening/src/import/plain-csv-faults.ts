import { ListFileProblem } from './list-file-problem.ts';
import { filesOf, type ListSource } from './list-source.ts';
import { plainCsvRows } from './plain-csv.ts';
import { DEFAULT_IMPORT_LIMITS, Reading } from './reading.ts';

/** What is wrong with a plain CSV, row by row, at most so many; what ends the reading is the last. */
export async function plainCsvFaults(source: ListSource, most: number): Promise<ListFileProblem[]> {
  const faults: ListFileProblem[] = [];
  try {
    for await (const row of plainCsvRows(new Reading(filesOf(source), DEFAULT_IMPORT_LIMITS, false))) {
      if (row instanceof ListFileProblem) faults.push(row);
      if (faults.length === most) break;
    }
  } catch (error) {
    if (!(error instanceof ListFileProblem)) throw error;
    faults.push(error);
  }
  return faults;
}
