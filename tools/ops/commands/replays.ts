import { type Command, Option } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Page } from '../ops-client.ts';
import { type Column, facts } from '../table.ts';
import { age, clock, whole } from '../times.ts';
import { watch } from './replay-by-filter.ts';
import type { ReplayRunRow } from './rows.ts';

const COLUMNS: Column<ReplayRunRow>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status, dry_run }) => (dry_run ? 'dry run' : status) },
  { title: 'matched', of: ({ matched }) => matched, right: true },
  { title: 'in line', of: ({ replayed }) => replayed, right: true },
  { title: 'passed', of: ({ skipped }) => skipped, right: true },
  { title: 'rate', of: ({ rate }) => rate, right: true },
  { title: 'made', of: ({ created_at }) => age(created_at), right: true },
  { title: 'operator', of: ({ operator }) => operator, cutTo: 8 },
  { title: 'reason', of: ({ reason }) => reason, cutTo: 12 },
];

async function list(desk: OpsContext, query: { status?: string; limit: number; cursor?: string }): Promise<void> {
  desk.list(await desk.client.call<Page<ReplayRunRow>>('platform', '/ops/replays', { query }), COLUMNS);
}

const pathOf = (id: string) => `/ops/replays/${encodeURIComponent(id)}`;

async function show(desk: OpsContext, id: string): Promise<void> {
  desk.show(await desk.client.call<ReplayRunRow>('platform', pathOf(id)), linesOf);
}

function linesOf(run: ReplayRunRow): string[] {
  const filter = Object.entries(run.filter ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return facts([
    ['run', run.id],
    ['status', run.dry_run ? `${run.status} (dry run)` : run.status],
    ['matched', `${run.matched}, ${run.max} at the most`],
    ['in line', run.rate === null ? run.replayed : `${run.replayed}, at ${run.rate} a second`],
    ['passed over', run.skipped],
    ['filter', filter.map(([name, value]) => `${name}=${String(value)}`).join(' ')],
    ['operator', run.operator],
    ['reason', run.reason],
    ['made', clock(run.created_at)],
    ['ended', clock(run.finished_at)],
  ]);
}

interface Why {
  reason: string;
}

async function cancel(desk: OpsContext, id: string, body: Why): Promise<void> {
  const path = `${pathOf(id)}/cancel`;
  desk.show(await desk.client.call<ReplayRunRow>('platform', path, { method: 'POST', body }), linesOf);
}

async function resume(desk: OpsContext, id: string, body: Why): Promise<void> {
  const run = await desk.client.call<ReplayRunRow>('platform', `${pathOf(id)}/resume`, { method: 'POST', body });
  desk.say(desk.words.started(run.id));
  await watch(desk, run);
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
  act('cancel', 'Stop it; what was requeued stays queued.').action(run(cancel));
  act('resume', 'A cancelled run goes on from where it was.').action(run(resume));
}
