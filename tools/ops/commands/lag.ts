import { type Lag, operations, type QueueRow, type Reason } from '@constancia/operations';
import type { Command } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import { type Column, table } from '../table.ts';
import { span } from '../times.ts';
import type { Words } from '../words.ts';

const since = (seconds: number | null) => (seconds ? span(seconds) : '');

const WORK: Column<Lag['work'][number]>[] = [
  { title: 'work', of: ({ module, kind }) => (module ? `${module} ${kind}` : kind) },
  { title: 'open', of: ({ open }) => open, right: true },
  { title: 'oldest', of: ({ oldest_seconds }) => since(oldest_seconds), right: true },
];

const QUEUES: Column<QueueRow>[] = [
  { title: 'queue', of: ({ queue }) => queue },
  { title: 'waiting', of: ({ waiting }) => waiting, right: true },
  { title: 'active', of: ({ active }) => active, right: true },
  { title: 'delayed', of: ({ delayed }) => delayed, right: true },
  { title: 'failed', of: ({ failed }) => failed, right: true },
  { title: 'oldest', of: ({ oldest_waiting_seconds }) => since(oldest_waiting_seconds), right: true },
];

async function lag(context: OpsContext): Promise<void> {
  context.show(await context.send(operations.lag()), (found) => lagLines(context, found));
}

/** What waits, for people. */
export function lagLines(
  { words, width }: Pick<OpsContext, 'words' | 'width'>,
  { outbox, work, queues = [] }: Lag,
): string[] {
  return [
    `${words.lag.outbox}: ${outboxWords(words, outbox)}`,
    '',
    `${words.lag.work}:${work.some(({ open }) => open > 0) ? '' : ` ${words.lag.quiet}`}`,
    ...(work.length > 0 ? table(WORK, work, width) : []),
    '',
    `${words.lag.queues}:`,
    ...(queues.length > 0 ? table(QUEUES, queues, width) : [words.none]),
    ...(queues.some(({ delayed }) => delayed > 0) ? [words.lag.delayed] : []),
  ];
}

function outboxWords(words: Words, outbox: Lag['outbox']): string {
  const { due, oldest_due_seconds, delivering } = outbox ?? { due: 0, oldest_due_seconds: null, delivering: 0 };
  if (due === 0 && delivering === 0) return words.lag.quiet;
  return `due ${due}, oldest ${since(oldest_due_seconds) || '-'}, on their way ${delivering}`;
}

async function kick(context: OpsContext, { reason }: Reason): Promise<void> {
  const answer = await context.send(operations.wakeDeliveries({ reason }));
  context.show(answer, ({ hinted }) => [context.words.hinted(hinted)]);
}

/** lag, and outbox kick. */
export function addLag(program: Command, run: Run): void {
  program.command('lag').description('What waits: webhooks, work, queues.').action(run(lag));
  program
    .command('outbox')
    .description('Webhooks that are due.')
    .command('kick')
    .description('Wake all due deliveries: the dispatcher looks at once.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(kick));
}
