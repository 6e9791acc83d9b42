import fs from 'node:fs';
import path from 'node:path';
import { importList, type ListCode, type ListEntry, type ListFormat } from '@constancia/name-screening';

/** Real lists, beside the repository and never in it. */
const FOLDER = path.resolve('../shared/lists');
const SOURCES: { list: ListCode; format: ListFormat | 'auto'; source: string }[] = [
  { list: 'OFAC', format: 'ofac-csv', source: 'ofac-2021-07' },
  { list: 'OFAC', format: 'ofac-csv', source: 'ofac-nonsdn-2025-12' },
  { list: 'ONU', format: 'un-xml', source: 'un-2026-02' },
  { list: 'EU_SANCTIONS', format: 'eu-journal-csv', source: 'eu-journal-2026-08/consolidated' },
  { list: 'PEP', format: 'senzing-lines', source: 'pep-us-congress' },
];

/** Every entry of ../shared/lists, by list. Throws where the folder is missing. */
export async function readLists(): Promise<Map<ListCode, ListEntry[]>> {
  if (!fs.existsSync(FOLDER)) throw new Error(`The lists are expected in ${FOLDER}`);
  const lists = new Map<ListCode, ListEntry[]>();
  for (const { list, format, source } of SOURCES) {
    const { entries } = await importList(format, path.join(FOLDER, source));
    const known = lists.get(list) ?? [];
    lists.set(list, [...known, ...entries.map((entry) => ({ ...entry, id: `${source}:${entry.id}` }))]);
  }
  return lists;
}
