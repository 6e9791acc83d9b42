import { Readable } from 'node:stream';
import { importCountryStatuses, type ImportedCountryStatuses } from '../import/fatf-csv.ts';
import { importList, type ImportedList } from '../import/import-list.ts';
import type { ListFile } from '../import/list-source.ts';
import { FATF_CSV } from './fatf-table.ts';
import { SANDBOX_CSV } from './sandbox-csv.ts';

/** Lists of names that a sandbox brings along. */
export type SandboxListCode = keyof typeof SANDBOX_CSV;

/** The fictional lists of a sandbox, imported as any other plain CSV. Their text is part of the code: no file is looked for. */
export async function sandboxLists(): Promise<Record<SandboxListCode, ImportedList>> {
  const [OFAC, ONU, PEP, EU_SANCTIONS] = await Promise.all([
    sandboxList('OFAC'),
    sandboxList('ONU'),
    sandboxList('PEP'),
    sandboxList('EU_SANCTIONS'),
  ]);
  return { OFAC, ONU, PEP, EU_SANCTIONS };
}

/** The FATF table that ships with the product. `asOf` states how old it is. */
export function fatfTable(): Promise<ImportedCountryStatuses> {
  return importCountryStatuses([textFile('fatf.csv', FATF_CSV)]);
}

function sandboxList(code: SandboxListCode): Promise<ImportedList> {
  return importList('plain-csv', [textFile(`sandbox-${code}.csv`, SANDBOX_CSV[code])]);
}

function textFile(name: string, text: string): ListFile {
  return { name, open: () => Readable.from([Buffer.from(text, 'utf8')]) };
}
