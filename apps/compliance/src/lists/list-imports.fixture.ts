import type { ListCode } from '@constancia/reference-data';
import { ListImports, type ImportOutcome, type ListImport } from './list-imports.ts';
import { Lists } from './lists.ts';
import type { RunningCompliance } from '../running-compliance.fixture.ts';

/** Somebody on a list that a test makes up. */
export interface MadeEntry {
  id: string;
  name: string;
  kind?: 'person' | 'organisation';
  birthDate?: string;
  countries?: string;
  identifiers?: string;
  programmes?: string;
}

/** A list in the form that operators and tenants write. */
export function csvOf(entries: readonly MadeEntry[]): Buffer {
  const rows = entries.map(
    ({ id, name, kind = 'person', birthDate = '', countries = '', identifiers = '', programmes = '' }) =>
      [id, kind, name, birthDate, countries, identifiers, programmes].map((cell) => `"${cell}"`).join(','),
  );
  return Buffer.from(['id,kind,name,birth_date,countries,identifiers,programmes', ...rows, ''].join('\n'));
}

/** Imports as an operator does, and waits until the app screens with what was imported. */
export async function importEntries(
  compliance: RunningCompliance,
  list: ListCode,
  entries: readonly MadeEntry[],
  options: Partial<ListImport> = {},
): Promise<ImportOutcome> {
  const outcome = await compliance.app.get(ListImports).run({
    list,
    tenantId: null,
    files: [{ name: `${list}.csv`, bytes: csvOf(entries) }],
    operator: 'test',
    ...options,
  });
  await compliance.app.get(Lists).refresh();
  return outcome;
}
