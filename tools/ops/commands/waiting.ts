import type { Command } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import { type Column, table } from '../table.ts';
import { span } from '../times.ts';

interface Lag {
  outbox: { due: number; oldest_due_seconds: number | null; delivering: number };
  work: { module?: string | null; kind: string; open: number; oldest_seconds: number | null }[];
  queues: {
    queue: string;
    waiting: number;
    active: number;
    delayed: number;
    failed: number;
    oldest_waiting_seconds: number | null;
  }[];
}

const since = (seconds: number | null) => (seconds ? span(seconds) : '');

const WORK: Column<Lag['work'][number]>[] = [
  { title: 'work', of: ({ module, kind }) => (module ? `${module} ${kind}` : kind) },
  { title: 'open', of: ({ open }) => open, right: true },
  { title: 'oldest', of: ({ oldest_seconds }) => since(oldest_seconds), right: true },
];

const QUEUES: Column<Lag['queues'][number]>[] = [
  { title: 'queue', of: ({ queue }) => queue },
  { title: 'waiting', of: ({ waiting }) => waiting, right: true },
  { title: 'active', of: ({ active }) => active, right: true },
  { title: 'delayed', of: ({ delayed }) => delayed, right: true },
  { title: 'failed', of: ({ failed }) => failed, right: true },
  { title: 'oldest', of: ({ oldest_waiting_seconds }) => since(oldest_waiting_seconds), right: true },
];

async function lag(desk: OpsContext): Promise<void> {
  const { words, width } = desk;
  desk.show(await desk.client.call<Lag>('platform', '/ops/lag'), ({ outbox, work, queues }) => [
    `${words.lag.outbox}: ${outboxWords(desk, outbox)}`,
    '',
    `${words.lag.work}:${work.some(({ open }) => open > 0) ? '' : ` ${words.lag.quiet}`}`,
    ...(work.length > 0 ? table(WORK, work, width) : []),
    '',
    `${words.lag.queues}:`,
    ...(queues.length > 0 ? table(QUEUES, queues, width) : [words.none]),
  ]);
}

function outboxWords({ words }: OpsContext, { due, oldest_due_seconds, delivering }: Lag['outbox']): string {
  if (due === 0 && delivering === 0) return words.lag.quiet;
  return `due ${due}, oldest ${since(oldest_due_seconds) || '-'}, on their way ${delivering}`;
}

async function kick(desk: OpsContext, body: { reason: string }): Promise<void> {
  const answer = await desk.client.call<{ hinted: number }>('platform', '/ops/outbox/kick', {
    method: 'POST',
    body,
  });
  desk.show(answer, ({ hinted }) => [desk.words.hinted(hinted)]);
}

/** lag, and outbox kick. */
export function addWaiting(program: Command, run: Run): void {
  program.command('lag').description('What waits: webhooks, work, queues.').action(run(lag));
  program
    .command('outbox')
    .description('Webhooks that are due.')
    .command('kick')
    .description('Wake all due deliveries: the dispatcher looks at once.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(kick));
}
