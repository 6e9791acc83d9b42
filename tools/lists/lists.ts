/**
 * npm run lists: the restrictive lists of a deployment.
 *
 *   npm run lists -- import OFAC ./ofac           a folder, or sdn.csv with the others beside it
 *   npm run lists -- import ONU consolidated.xml  the format is found out from the content
 *   npm run lists -- show                         what is active
 *
 * Works on the running local stack, or on the database of COMPLIANCE_DATABASE_URL (role compliance_app). Running processes notice at
 * once. Ends with 1 when a list was refused; the last good version stays active then.
 */
import 'reflect-metadata';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { LIST_FORMATS, type ListFormat } from '@constancia/name-screening';
import { Database } from '@constancia/persistence';
import { Argument, Command, Option } from 'commander';
import { type ImportOutcome, ListImports } from '../../apps/compliance/src/lists/list-imports.ts';
import { ListRefused } from '../../apps/compliance/src/lists/list-refused.ts';
import { type ActiveList, activeLists } from '../../apps/compliance/src/lists/list-rows.sql.ts';
import { ListContents } from '../../apps/compliance/src/lists/list-contents.ts';
import { ListJobRunner } from '../../apps/compliance/src/lists/list-job-runner.ts';
import { WORKSPACE } from '../build/sources.mjs';
import { wordsFor } from './words.ts';

const words = wordsFor(process.env);

interface ImportFlags {
  format?: ListFormat;
  delta?: boolean;
  force?: boolean;
  operator: string;
}

function databaseUrl(): string {
  if (process.env.COMPLIANCE_DATABASE_URL) return process.env.COMPLIANCE_DATABASE_URL;
  try {
    const file = path.join(WORKSPACE, '.local/operator.json');
    return (JSON.parse(fs.readFileSync(file, 'utf8')) as { compliance_database_url: string }).compliance_database_url;
  } catch {
    throw new Error(words.noDatabase);
  }
}

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await Database.connect({ url: databaseUrl(), applicationName: 'lists', poolSize: 2 });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function importFiles(list: ListCode, places: string[], flags: ImportFlags): Promise<void> {
  await withDatabase(async (database) => {
    const began = performance.now();
    // Nobody waits for this process: it does the work itself.
    const imports = new ListImports(database, new ListContents(database, null), new ListJobRunner());
    const files = places.map((place) => ({ path: path.resolve(place) }));
    try {
      report(await imports.run({ list, tenantId: null, files, ...flags }), performance.now() - began);
    } catch (error) {
      if (!(error instanceof ListRefused)) throw error;
      console.error(words.refused(list, located(error), await activeOf(database, list)));
      process.exitCode = 1;
    }
  });
}

function located({ refusal: { file, line, detail } }: ListRefused): string {
  const place = [file, line].filter((part) => part !== undefined).join(':');
  return place === '' ? detail : `${place}: ${detail}`;
}

function report(outcome: ImportOutcome, ms: number): void {
  if (outcome.outcome === 'unchanged') return console.log(words.unchanged(outcome.list, outcome.version));
  console.log(words.activated(outcome, ms));
  for (const { code, count, examples } of outcome.warnings) console.log(words.warning(code, count, examples));
}

async function activeOf(database: Database, list: ListCode): Promise<string | null> {
  return (await operatorsLists(database)).find((row) => row.list === list)?.version ?? null;
}

async function operatorsLists(database: Database): Promise<ActiveList[]> {
  const rows = (await activeLists(database)).filter(({ tenant_id }) => tenant_id === null);
  return rows.sort((a, b) => ALL_LIST_CODES.indexOf(a.list) - ALL_LIST_CODES.indexOf(b.list));
}

async function show(): Promise<void> {
  await withDatabase(async (database) => {
    const rows = (await operatorsLists(database)).map((row) => [
      row.list,
      row.version,
      String(row.entries),
      row.published_at?.toISOString().slice(0, 10) ?? '',
      row.imported_at.toISOString().slice(0, 16),
      row.sha256.toString('hex').slice(0, 16),
      row.fictional ? words.fictional : '',
    ]);
    if (rows.length === 0) return console.log(words.none);
    const table = [words.header, ...rows];
    const widths = words.header.map((_, column) => Math.max(...table.map((row) => (row[column] as string).length)));
    for (const row of table) {
      console.log(
        row
          .map((cell, column) => cell.padEnd(widths[column] as number))
          .join('  ')
          .trimEnd(),
      );
    }
  });
}

const program = new Command('lists').description('The restrictive lists of a deployment.');
program
  .command('import')
  .description('Import a list and make it active. A broken file leaves the last good version active.')
  .addArgument(new Argument('<list>', 'which list').choices(ALL_LIST_CODES))
  .argument('<file...>', 'its file or files, or their folder')
  .addOption(new Option('--format <format>', 'detected from the content by default').choices(LIST_FORMATS))
  .option('--delta', 'the file says what changed, not what is')
  .option('--force', 'accept a list that shrinks by more than 10 %, or loses all of a kind')
  .option('--operator <name>', 'kept with the version', os.userInfo().username)
  .action((list: ListCode, files: string[], flags: ImportFlags) => importFiles(list, files, flags));
program.command('show').description('What is active.').action(show);

program.parseAsync(process.argv).catch((error: unknown) => {
  console.error(`${words.failed} ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
