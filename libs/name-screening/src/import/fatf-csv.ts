import { countryCode } from './country-code.ts';
import { tableRows, type TableRow } from './csv-table.ts';
import { ListFileProblem } from './list-file-problem.ts';
import { filesOf, type ListFile, type ListSource } from './list-source.ts';
import { DEFAULT_IMPORT_LIMITS, Reading } from './reading.ts';

/** call_for_action_edd: a call for action that asks for enhanced due diligence, not for counter-measures. */
export const COUNTRY_CATEGORIES = ['call_for_action', 'call_for_action_edd', 'increased_monitoring'] as const;
export type CountryCategory = (typeof COUNTRY_CATEGORIES)[number];

/** What the FATF says of one jurisdiction. Its lists name countries, never people. */
export interface CountryStatus {
  /** ISO 3166-1 alpha-2. */
  country: string;
  name: string;
  category: CountryCategory;
  /** Day of the public statement, `YYYY-MM-DD`. */
  asOf: string;
  /** Month since which it is on the list, `YYYY-MM`, where it is known. */
  added?: string;
}

export interface ImportedCountryStatuses {
  statuses: CountryStatus[];
  /** The oldest day that any row gives: the table is as old as that. */
  asOf: string;
  /** Hex SHA-256 of the file. */
  sha256: string;
}

const REQUIRED = ['country_code', 'country_name', 'category', 'status_as_of'];

/** Reads the FATF table (header country_code, country_name, category, status_as_of, added). Throws ListFileProblem. */
export async function importCountryStatuses(source: ListSource): Promise<ImportedCountryStatuses> {
  const files = filesOf(source);
  const reading = new Reading(files, DEFAULT_IMPORT_LIMITS, false);
  const statuses = new Map<string, CountryStatus>();
  for (const file of files) {
    for await (const row of tableRows(reading, file, { required: REQUIRED })) {
      const status = statusOf(file, row);
      if (statuses.has(status.country)) throw malformed(file, row, `${status.country} stands there twice.`);
      statuses.set(status.country, status);
    }
  }
  const [asOf] = [...statuses.values()].map((status) => status.asOf).sort();
  if (!asOf) throw new ListFileProblem('empty', 'The table holds no country.', { file: files[0]?.name });
  return { statuses: [...statuses.values()], asOf, sha256: reading.read[0]?.sha256 ?? '' };
}

function statusOf(file: ListFile, row: TableRow): CountryStatus {
  const country = countryCode(row.cell('country_code'));
  if (!country)
    throw malformed(file, row, `The country ${row.cell('country_code')} is no ISO 3166-1 code of two letters.`);
  const category = COUNTRY_CATEGORIES.find((known) => known === row.cell('category'));
  if (!category) {
    throw malformed(file, row, `The category ${row.cell('category')} is none of ${COUNTRY_CATEGORIES.join(', ')}.`);
  }
  const asOf = row.cell('status_as_of');
  if (!/^\d{4}-\d\d-\d\d$/.test(asOf)) throw malformed(file, row, `The day ${asOf} is not written as 2026-02-13.`);
  const added = row.cell('added');
  return { country, name: row.cell('country_name'), category, asOf, ...(added ? { added } : {}) };
}

function malformed(file: ListFile, row: TableRow, detail: string): ListFileProblem {
  return new ListFileProblem('malformed', detail, { file: file.name, line: row.line });
}
