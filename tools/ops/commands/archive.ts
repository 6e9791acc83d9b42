import {
  type ArchivedFile,
  type ArchiveVerification,
  HISTORIES,
  type HistoryName,
  operations,
} from '@constancia/operations';
import { type Command, Option } from 'commander';
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

interface HistoryFlag {
  history: HistoryName;
}

interface RunFlags extends HistoryFlag {
  reason: string;
  tenant?: string;
  maxFiles: number;
}

async function archive(context: OpsContext, { history, reason, tenant, maxFiles }: RunFlags): Promise<void> {
  const { words } = context;
  const files: ArchivedFile[] = [];
  for (let more = true; more && files.length < maxFiles;) {
    const { archived } = await context.send(operations.archiveNext(history, { reason, tenant }));
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

interface ListFlags extends HistoryFlag {
  tenant?: string;
  limit: number;
  cursor?: string;
}

async function list(context: OpsContext, { history, ...query }: ListFlags): Promise<void> {
  await context.list(operations.archives(history, { ...query }), FILES);
}

interface VerifyFlags extends HistoryFlag {
  tenant?: string;
}

/** Every file of the list, a page at a time. */
async function* filesOf(context: OpsContext, { history, tenant }: VerifyFlags): AsyncGenerator<ArchivedFile> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await context.send(operations.archives(history, { tenant, limit: 100, cursor }));
    yield* data;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function verify(context: OpsContext, id: string | undefined, flags: VerifyFlags): Promise<void> {
  const { words } = context;
  const checked: ArchiveVerification[] = [];
  const check = async (file: string) => checked.push(await context.send(operations.verifyArchive(flags.history, file)));
  if (id === undefined) {
    for await (const file of filesOf(context, flags)) await check(file.id);
  } else {
    await check(id);
  }
  const wrong = checked.filter(({ valid }) => !valid);
  context.show({ files: checked.length, wrong }, () =>
    wrong.length === 0
      ? [words.archivesFine(checked.length)]
      : wrong.map(({ archive: file, fault }) => words.archiveWrong(file.id, file.object_key, fault ?? '-')),
  );
  if (wrong.length > 0) process.exitCode = EXIT.faultFound;
}

async function read(context: OpsContext, id: string, { history }: HistoryFlag): Promise<void> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await context.send(operations.archivedRows(history, id, { limit: ROWS, cursor }));
    for (const row of data) console.log(JSON.stringify(row));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

const ofHistory = () =>
  new Option('--history <history>', 'of what').choices(HISTORIES).default('ledger' satisfies HistoryName);

/** archive run, list, verify, read. */
export function addArchive(program: Command, run: Run): void {
  const archives = program
    .command('archive')
    .description('Old history in signed files of the object store, instead of in the database.');
  archives
    .command('run')
    .description(
      'Archives what is old enough, file by file: see docs/guides/on-call.md for each history. Safe to repeat and to stop.',
    )
    .option('--tenant <slug or id>', 'only this one')
    .option('--max-files <n>', 'stop after so many', whole(1, 100_000), 1_000)
    .requiredOption('--reason <text>', 'why, for the audit log')
    .addOption(ofHistory())
    .action(run(archive));
  archives
    .command('list')
    .description('The files, the oldest of each tenant first.')
    .option('--tenant <slug or id>', 'only this one')
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .addOption(ofHistory())
    .action(run(list));
  archives
    .command('verify')
    .description('Reads every file back and checks it. Exit code 3 when one is not as it was archived.')
    .argument('[id]', 'of one file')
    .option('--tenant <slug or id>', 'the files of this one')
    .addOption(ofHistory())
    .action(run(verify));
  archives
    .command('read')
    .description('The rows of a file, as they were in the database: one JSON object per line.')
    .argument('<id>', 'of the file')
    .addOption(ofHistory())
    .action(run(read));
}
