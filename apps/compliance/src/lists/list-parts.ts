import type { Database } from '@constancia/persistence';
import type { PersonalData } from '@constancia/personal-data';
import type { Logger, Metrics } from '@constancia/telemetry';
import { ListBuilds } from './list-builds.ts';
import { ListContents } from './list-contents.ts';
import { ageMs, type ListConfig, listRules } from './list-config.ts';
import { ListImports } from './list-imports.ts';
import { ListWorkshop } from './list-workshop.ts';
import { Lists } from './lists.ts';
import { SandboxLists } from './sandbox-lists.ts';

/** All that has to do with lists in a process. */
export interface ListParts {
  lists: Lists;
  imports: ListImports;
  builds: ListBuilds;
  contents: ListContents;
  workshop: ListWorkshop;
  /** Runs beside the requests, in this order. */
  background: { start(): Promise<void> | void; close(): Promise<void> }[];
}

export function listPartsOf(
  config: ListConfig,
  {
    database,
    personal,
    logger,
    metrics,
  }: { database: Database; personal: PersonalData | null; logger: Logger; metrics: Metrics },
): ListParts {
  const workshop = new ListWorkshop();
  const contents = new ListContents(database, personal);
  const builds = new ListBuilds(database, contents, workshop);
  const lists = new Lists({ database, builds, rules: listRules(config), logger });
  const imports = new ListImports(database, contents, workshop);
  const sandbox = config.environment === 'sandbox' ? [new SandboxLists(imports, lists, logger)] : [];
  measure(lists, metrics);
  return {
    lists,
    imports,
    builds,
    contents,
    workshop,
    background: [{ start: () => undefined, close: () => workshop.close() }, lists, ...sandbox],
  };
}

/** Throws as long as this process does not know which lists there are: nobody should be sent to it yet. */
export function listsLoaded(lists: Lists): () => Promise<void> {
  return async () => {
    if (!lists.loaded) throw new Error('the lists are not loaded yet');
  };
}

/** The operator's lists as /readyz tells of them. */
export function listCondition(lists: Lists): () => Promise<Record<string, unknown>> {
  return async () => {
    const { rows, stale, missing } = await lists.current();
    const told = rows.map((row) => [
      row.list,
      { version: row.version, age_seconds: Math.floor(ageMs(row) / 1000), stale: stale.includes(row.list) },
    ]);
    return { lists: Object.fromEntries(told) as object, missing_lists: missing };
  };
}

function measure(lists: Lists, metrics: Metrics): void {
  const each = async (set: (list: string, age: number, entries: number, stale: boolean) => void) => {
    const { rows, stale } = await lists.current();
    for (const row of rows) set(row.list, ageMs(row) / 1000, row.entries, stale.includes(row.list));
  };
  metrics.gauge('list_age_seconds', 'Since the list was last imported (FATF: since its statement)', ['list'], (gauge) =>
    each((list, age) => gauge.set({ list }, age)),
  );
  metrics.gauge('list_entries', 'Entries of the list that is screened against', ['list'], (gauge) =>
    each((list, _age, entries) => gauge.set({ list }, entries)),
  );
  metrics.gauge('list_stale', '1 when the list is older than it may be', ['list'], (gauge) =>
    each((list, _age, _entries, stale) => gauge.set({ list }, Number(stale))),
  );
  metrics.gauge('lists_missing', 'Mandatory lists that were never imported: screenings answer 503', [], async (gauge) =>
    gauge.set((await lists.current()).missing.length),
  );
}
