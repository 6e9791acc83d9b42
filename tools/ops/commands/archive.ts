import { type ArchivedFile, type ArchiveVerification, operations } from '@constancia/operations';
import type { Command } from 'commander';
import { EXIT } from '../failures.ts';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Column } from '../table.ts';
import { stamp, whole } from '../times.ts';

const FILES: Column<ArchivedFile>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'history', of: ({ history }) => history },
  { title: 'tenant', of: ({ slug }) => slug, cutTo: 12 },
  { title: 'from', of: ({ from }) => from, right: true },
  { title: 'through', of: ({ through }) => through, right: true },
  { title: 'until', of: ({ last_at }) => stamp(last_at).slice(0, 10) },
  { title: 'bytes', of: ({ bytes }) => bytes, right: true },
  { title: 'object', of: ({ object_key }) => object_key, cutTo: 20 },
];

/** Rows that one request for those of a file asks for. */
const ROWS = 500;

interface RunFlags {
  reason: string;
  tenant?: string;
  maxFiles: number;
}

async function archive(context: OpsContext, { reason, tenant, maxFiles }: RunFlags): Promise<void> {
  const { words } = context;
  const files: ArchivedFile[] = [];
  for (let more = true; more && files.length < maxFiles;) {
    const { archived } = await context.send(operations.archiveNext({ reason, tenant }));
    more = archived !== null;
    if (archived === null) continue;
    files.push(archived);
    context.say(words.archived(archived.slug, archived.from, archived.through, archived.object_key));
  }
  const stopped = files.length === maxFiles;
  context.show({ files, stopped }, () => [
    stopped ? words.archiveStopped(files.length) : words.archiveDone(files.length),
  ]);
}

interface ListFlags {
  tenant?: string;
  limit: number;
  cursor?: string;
}

async function list(context: OpsContext, query: ListFlags): Promise<void> {
  await context.list(operations.archives({ ...query }), FILES);
}

/** Every file of the list, a page at a time. */
async function* filesOf(context: OpsContext, tenant: string | undefined): AsyncGenerator<ArchivedFile> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await context.send(operations.archives({ tenant, limit: 100, cursor }));
    yield* data;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function verify(context: OpsContext, id: string | undefined, { tenant }: { tenant?: string }): Promise<void> {
  const { words } = context;
  const checked: ArchiveVerification[] = [];
  if (id === undefined) {
    for await (const file of filesOf(context, tenant))
      checked.push(await context.send(operations.verifyArchive(file.id)));
  } else {
    checked.push(await context.send(operations.verifyArchive(id)));
  }
  const wrong = checked.filter(({ valid }) => !valid);
  context.show({ files: checked.length, wrong }, () =>
    wrong.length === 0
      ? [words.archivesFine(checked.length)]
      : wrong.map(({ archive: file, fault }) => words.archiveWrong(file.id, file.object_key, fault ?? '-')),
  );
  if (wrong.length > 0) process.exitCode = EXIT.faultFound;
}

async function read(context: OpsContext, id: string): Promise<void> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await context.send(operations.archivedRows(id, { limit: ROWS, cursor }));
    for (const row of data) console.log(JSON.stringify(row));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** archive run, list, verify, read. */
export function addArchive(program: Command, run: Run): void {
  const archives = program
    .command('archive')
    .description('Old history in signed files of the object store, instead of in the database.');
  archives
    .command('run')
    .description(
      'Archives entries of the ledger that are older than LEDGER_ARCHIVE_AFTER_DAYS, file by file. Safe to repeat and to stop.',
    )
    .option('--tenant <slug or id>', 'only this one')
    .option('--max-files <n>', 'stop after so many', whole(1, 100_000), 1_000)
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(archive));
  archives
    .command('list')
    .description('The files, the oldest of each tenant first.')
    .option('--tenant <slug or id>', 'only this one')
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(list));
  archives
    .command('verify')
    .description('Reads every file back and checks it. Exit code 3 when one is not as it was archived.')
    .argument('[id]', 'of one file')
    .option('--tenant <slug or id>', 'the files of this one')
    .action(run(verify));
  archives
    .command('read')
    .description('The rows of a file, as they were in the database: one JSON object per line.')
    .argument('<id>', 'of the file')
    .action(run(read));
}
