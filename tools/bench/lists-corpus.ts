import fs from 'node:fs';
import path from 'node:path';
import { sharedPath } from '@constancia/testing/shared-folder';
import { importList, type ListCode, type ListEntry, type ListFormat } from '@constancia/name-screening';

/** Real lists, beside the repository and never in it. */
const FOLDER = sharedPath('lists') ?? '';
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

/** One file, or folder, of each list, as an operator imports them; none where ../shared/lists is missing. */
export const PUBLISHED: readonly { list: ListCode; path: string }[] = FOLDER
  ? [
      { list: 'OFAC' as const, path: path.join(FOLDER, 'ofac-2021-07/sdn.csv') },
      { list: 'ONU' as const, path: path.join(FOLDER, 'un-2026-02/UN_consolidated.xml') },
      { list: 'EU_SANCTIONS' as const, path: path.join(FOLDER, 'eu-journal-2026-08/consolidated') },
      { list: 'PEP' as const, path: path.join(FOLDER, 'pep-us-congress/us_congress_senzing.jsonl') },
      { list: 'FATF' as const, path: path.join(FOLDER, 'fatf-2026-02/fatf.csv') },
    ]
  : [];

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
