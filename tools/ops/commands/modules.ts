import { type Lists, operations, type OverdueCase, type WaitingSeal } from '@constancia/operations';
import { type Command, Option } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import { type Column, table } from '../table.ts';
import { age, whole } from '../times.ts';

const LISTS: Column<Lists['data'][number]>[] = [
  { title: 'list', of: ({ list }) => list },
  { title: 'version', of: ({ version }) => version },
  { title: 'entries', of: ({ entries }) => entries, right: true },
  { title: 'published', of: ({ published_at }) => published_at?.slice(0, 10) },
  { title: 'imported', of: ({ imported_at }) => age(imported_at), right: true },
];

const CASES: Column<OverdueCase>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'tenant', of: ({ tenant_id }) => tenant_id, cutTo: 12 },
  { title: 'severity', of: ({ severity }) => severity },
  { title: 'status', of: ({ status }) => status },
  { title: 'hours over', of: ({ hours_over }) => Math.round(hours_over), right: true },
  { title: 'assignee', of: ({ assignee }) => assignee, cutTo: 12 },
];

const SEALS: Column<WaitingSeal>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'tenant', of: ({ tenant_id }) => tenant_id, cutTo: 12 },
  { title: 'status', of: ({ status }) => status },
  { title: 'tries', of: ({ attempts }) => attempts, right: true },
  { title: 'made', of: ({ created_at }) => age(created_at), right: true },
  { title: 'next', of: ({ next_attempt_at }) => age(next_attempt_at), right: true },
  { title: 'setback', of: ({ last_setback }) => last_setback, cutTo: 12 },
];

async function lists(context: OpsContext): Promise<void> {
  const { words, width } = context;
  context.show(await context.send(operations.lists()), ({ data, missing, stale }) => [
    ...(data.length > 0 ? table(LISTS, data, width) : [words.none]),
    ...(missing.length > 0 ? ['', words.listsMissing(missing.join(', '))] : []),
    ...(stale.length > 0 ? ['', words.listsStale(stale.join(', '))] : []),
  ]);
}

interface PageFlags {
  limit: number;
  cursor?: string;
}

async function overdueCases(
  context: OpsContext,
  { limit, cursor, reason }: PageFlags & { reason?: string },
): Promise<void> {
  await context.list(operations.overdueCases({ limit, cursor, reason }), CASES);
}

async function seals(context: OpsContext, { status, limit, cursor }: PageFlags & { status: string }): Promise<void> {
  await context.list(operations.seals({ status, limit, cursor }), SEALS);
}

const paged = (command: Command): Command =>
  command.option('--limit <n>', 'rows', whole(1, 500), 50).option('--cursor <cursor>', 'go on from the page before');

/** lists; cases overdue; seals list. */
export function addModules(program: Command, run: Run): void {
  program
    .command('lists')
    .description('Restrictive lists: versions, age, what is missing. They are imported by "npm run lists".')
    .action(run(lists));
  const cases = program.command('cases').description('Compliance cases.').command('overdue');
  paged(cases.description('Open past their time, the longest first.'))
    .option('--reason <text>', 'shows whom they are assigned to; why, for the audit log')
    .action(run(overdueCases));
  const waiting = program.command('seals').description('Documents that wait for their seal.').command('list');
  paged(waiting.description('The oldest first.'))
    .addOption(new Option('--status <status>', 'which').choices(['open', 'failed']).default('open'))
    .action(run(seals));
}
