import fs from 'node:fs';
import path from 'node:path';
import { importList, type ListCode, type ListEntry, type ListFormat } from '@constancia/name-screening';

/** Real lists, beside the repository and never in it. */
const FOLDER = path.resolve('../shared/lists');
const SOURCES: { list: ListCode; format: ListFormat | 'auto'; source: string | string[] }[] = [
  // The newer aliases belong to an sdn.csv that is not here: those of unknown entries are kept as entries of their own.
  {
    list: 'OFAC',
    format: 'ofac-csv',
    source: ['ofac-2021-07/sdn.csv', ...['alt', 'add', 'sdn_comments'].map((part) => `ofac-2025-12/${part}.csv`)],
  },
  { list: 'OFAC', format: 'ofac-csv', source: 'ofac-nonsdn-2025-12' },
  { list: 'ONU', format: 'un-xml', source: 'un-2026-02' },
  { list: 'EU_SANCTIONS', format: 'eu-journal-csv', source: 'eu-journal-2026-08/consolidated' },
  { list: 'PEP', format: 'senzing-lines', source: 'pep-us-congress' },
  ...['parteispenden', 't1', 'zala'].map((name) => ({
    list: 'INTERNAL' as const,
    format: 'auto' as const,
    source: `ftm-samples/${name}_entities.ftm.json`,
  })),
];

/** Every entry of ../shared/lists, by list. Throws where the folder is missing. */
export async function readLists(): Promise<Map<ListCode, ListEntry[]>> {
  if (!fs.existsSync(FOLDER)) throw new Error(`The lists are expected in ${FOLDER}`);
  const lists = new Map<ListCode, ListEntry[]>();
  for (const { list, format, source } of SOURCES) {
    const files = [source].flat().map((name) => path.join(FOLDER, name));
    const { entries } = await importList(format, files.length === 1 ? String(files[0]) : files, { keepOrphans: true });
    const known = lists.get(list) ?? [];
    lists.set(list, [...known, ...entries.map((entry) => ({ ...entry, id: `${[source].flat()[0]}:${entry.id}` }))]);
  }
  return lists;
}
