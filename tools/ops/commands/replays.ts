import { filterText, operations, type Reason, type ReplayRunRow } from '@constancia/operations';
import { type Command, Option } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import { type Column, facts } from '../table.ts';
import { age, clock, whole } from '../times.ts';
import { watch } from './replay-by-filter.ts';

const COLUMNS: Column<ReplayRunRow>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status, dry_run }) => (dry_run ? 'dry run' : status) },
  { title: 'matched', of: ({ matched }) => matched, right: true },
  { title: 'queued', of: ({ replayed }) => replayed, right: true },
  { title: 'skipped', of: ({ skipped }) => skipped, right: true },
  { title: 'rate', of: ({ rate }) => rate, right: true },
  { title: 'made', of: ({ created_at }) => age(created_at), right: true },
  { title: 'operator', of: ({ operator }) => operator, cutTo: 8 },
  { title: 'reason', of: ({ reason }) => reason, cutTo: 12 },
];

async function list(context: OpsContext, query: { status?: string; limit: number; cursor?: string }): Promise<void> {
  await context.list(operations.replays({ ...query }), COLUMNS);
}

async function show(context: OpsContext, id: string): Promise<void> {
  context.show(await context.send(operations.replay(id)), linesOf);
}

function linesOf(run: ReplayRunRow): string[] {
  return facts([
    ['run', run.id],
    ['status', run.dry_run ? `${run.status} (dry run)` : run.status],
    ['matched', `${run.matched}, ${run.max} at most`],
    ['queued', run.rate === null ? run.replayed : `${run.replayed}, at ${run.rate} a second`],
    ['skipped', run.skipped],
    ['filter', filterText(run.filter)],
    ['operator', run.operator],
    ['reason', run.reason],
    ['made', clock(run.created_at)],
    ['ended', clock(run.finished_at)],
  ]);
}

async function cancel(context: OpsContext, id: string, { reason }: Reason): Promise<void> {
  context.show(await context.send(operations.cancelReplay(id, { reason })), linesOf);
}

async function resume(context: OpsContext, id: string, { reason }: Reason): Promise<void> {
  await watch(context, await context.send(operations.resumeReplay(id, { reason })));
}

/** replays list, show, cancel, resume. */
export function addReplays(program: Command, run: Run): void {
  const replays = program.command('replays').description('Runs that send again what a filter matched.');
  replays
    .command('list')
    .description('The newest first.')
    .addOption(new Option('--status <status>', 'in this state').choices(['running', 'completed', 'cancelled']))
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(list));
  const one = (name: string, about: string) => replays.command(name).description(about).argument('<id>', 'run_…');
  one('show', 'How far a run is, and who ordered it why.').action(run(show));
  const act = (name: string, about: string) =>
    one(name, about).requiredOption('--reason <text>', 'why, for the audit log');
  act('cancel', 'Stop it; what was queued again stays queued.').action(run(cancel));
  act('resume', 'A cancelled run continues from where it was.').action(run(resume));
}
