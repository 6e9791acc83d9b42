import { EVENT_MODULES } from '@constancia/contracts';
import {
  type Attempt,
  attemptErrorText,
  type DeliveryDetail,
  type DeliveryRow,
  explainDelivery,
  isPaused,
  type Locale,
  operations,
} from '@constancia/operations';
import { type Command, Option } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import { type Column, facts, table, wrapped } from '../table.ts';
import { age, clock, instant, whole } from '../times.ts';
import { WrongUse } from '../failures.ts';
import { type ReplayFlags, replayByFilter } from './replay-by-filter.ts';
import { commandOf } from './next-commands.ts';

const STATUSES = ['pending', 'delivering', 'delivered', 'failed'];

interface ListFlags {
  tenant?: string;
  module?: string;
  status?: string;
  eventType?: string;
  endpoint?: string;
  since?: string;
  until?: string;
  limit: number;
  cursor?: string;
}

const COLUMNS: Column<DeliveryRow>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'tenant', of: ({ slug }) => slug, cutTo: 8 },
  { title: 'event', of: ({ event_type }) => event_type, cutTo: 14 },
  { title: 'status', of: ({ status }) => status },
  { title: 'tries', of: ({ attempts }) => attempts, right: true },
  { title: 'http', of: ({ last_http_status }) => last_http_status, right: true },
  { title: 'error', of: ({ last_error }) => last_error, cutTo: 10 },
  { title: 'made', of: ({ created_at }) => age(created_at), right: true },
  { title: 'last', of: ({ last_attempt_at }) => age(last_attempt_at), right: true },
  { title: 'next', of: ({ next_attempt_at }) => age(next_attempt_at), right: true },
];

const attemptsIn = (locale: Locale): Column<Attempt>[] => [
  { title: '#', of: ({ number }) => number, right: true },
  { title: 'at', of: ({ at }) => clock(at) },
  { title: 'ms', of: ({ duration_ms }) => duration_ms, right: true },
  { title: 'http', of: ({ http_status }) => http_status, right: true },
  {
    title: 'what',
    of: ({ error_code, http_status }) =>
      error_code === null ? '✓' : attemptErrorText(error_code, http_status, locale),
    cutTo: 20,
  },
  { title: 'answer', of: ({ response_excerpt }) => response_excerpt?.slice(0, 200), cutTo: 6 },
];

async function list(context: OpsContext, { eventType, ...flags }: ListFlags): Promise<void> {
  await context.list(operations.deliveries({ ...flags, event_type: eventType }), COLUMNS);
}

async function show(context: OpsContext, id: string): Promise<void> {
  context.show(await context.send(operations.delivery(id)), (delivery) => linesOf(context, delivery));
}

function linesOf({ words, locale, width }: OpsContext, delivery: DeliveryDetail): string[] {
  const { endpoint, attempts_list: attempts } = delivery;
  const { sentences, steps } = explainDelivery(delivery, locale, clock);
  return [
    ...facts([
      ['delivery', delivery.id],
      ['tenant', `${delivery.slug} (${delivery.tenant_id})`],
      ['event', `${delivery.event_type} ${delivery.event_id}`],
      ['made', clock(delivery.created_at)],
      ['status', delivery.status],
      ['next', clock(delivery.next_attempt_at)],
      ['endpoint', endpoint && `${endpoint.id} ${endpoint.url}`],
      ['health', endpoint && healthOf(endpoint)],
      ['trace id', delivery.trace_id],
    ]),
    '',
    `${words.attempts}: ${attempts.length}`,
    ...(attempts.length > 0 ? table(attemptsIn(locale), attempts, width) : []),
    '',
    ...sentences.flatMap((sentence) => wrapped(sentence, width)),
    ...steps.filter((step) => step.do !== 'show').map((step) => `  ${commandOf(step)}`),
  ];
}

function healthOf(endpoint: DeliveryDetail['endpoint'] & object) {
  const { enabled, disabled_reason, paused_until, consecutive_failures } = endpoint;
  const state = enabled ? 'enabled' : `disabled (${disabled_reason ?? 'by its tenant'})`;
  const paused = isPaused(endpoint) ? `, paused until ${clock(paused_until)}` : '';
  return `${state}${paused}, ${consecutive_failures} failures in a row`;
}

async function replay(context: OpsContext, id: string | undefined, flags: ReplayFlags): Promise<void> {
  const { tenant, allTenants, module, eventType, status, since, until, rate, max, dryRun, yes } = flags;
  const filtered = [tenant, allTenants, module, eventType, status, since, until, rate, max, dryRun, yes];
  const byFilter = filtered.some((flag) => flag !== undefined);
  if ((id === undefined) !== byFilter) throw new WrongUse(context.words.oneOrFilter);
  if (id === undefined) return replayByFilter(context, flags);
  if (!flags.reason?.trim()) throw new WrongUse(context.words.why);
  const row = await context.send(operations.replayDelivery(id, { reason: flags.reason }));
  context.show(row, () => [context.words.queuedAgain(row.id)]);
}

/** deliveries list, show, replay. */
export function addDeliveries(program: Command, run: Run): void {
  const deliveries = program.command('deliveries').description('Webhooks on their way to one endpoint each.');
  deliveries
    .command('list')
    .description('The newest first, of all tenants by default.')
    .option('--tenant <slug or id>', 'of one tenant')
    .addOption(new Option('--module <module>', 'of an endpoint of this module').choices(EVENT_MODULES))
    .addOption(new Option('--status <status>', 'in this state').choices(STATUSES))
    .option('--event-type <type>', 'for example seal.signature.completed')
    .option('--endpoint <id>', 'to this endpoint (whe_…)')
    .option('--since <when>', 'made since: 30m, 2h, 3d, or a date-time', instant)
    .option('--until <when>', 'made before', instant)
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(list));
  deliveries
    .command('show')
    .description('One, with every attempt, and what keeps it.')
    .argument('<id>', 'dlv_…')
    .action(run(show));
  deliveries
    .command('replay')
    .description('Send again: one by its id, or all that a filter matches. Same event id, same bytes, fresh signature.')
    .argument('[id]', 'dlv_…; left out: a filter')
    .option('--tenant <slug or id>', 'of one tenant')
    .option('--all-tenants', 'of every tenant')
    .addOption(new Option('--module <module>', 'of endpoints of this module').choices(EVENT_MODULES))
    .addOption(new Option('--status <status...>', 'failed by default').choices(['failed', 'delivered']))
    .option('--event-type <type>', 'only this type')
    .option('--since <when>', 'events since: 30m, 2h, 3d, or a date-time', instant)
    .option('--until <when>', 'events before', instant)
    .option('--rate <n>', 'a second; the deployment has a default', whole(1, 10_000))
    .option('--max <n>', 'no more than these, the oldest first (10000)', whole(1, 1_000_000))
    .option('--dry-run', 'only count')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option('--yes', 'needed above 100')
    .action(run(replay));
}
