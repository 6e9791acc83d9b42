import { EVENT_MODULES } from '@constancia/contracts';
import { type Command, Option } from 'commander';
import { errorWords, whyDelivery } from '../../../apps/platform/src/ops/page/why.js';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Page } from '../ops-client.ts';
import { type Column, facts, table, wrapped } from '../table.ts';
import { age, clock, instant, whole } from '../times.ts';
import { WrongUse } from '../trouble.ts';
import type { Locale } from '../words.ts';
import { type ReplayFlags, replayByFilter } from './replay-by-filter.ts';
import type { Attempt, DeliveryDetail, DeliveryRow } from './rows.ts';
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
    of: ({ error_code, http_status }) => (error_code === null ? '✓' : errorWords(error_code, http_status, locale)),
    cutTo: 20,
  },
  { title: 'answer', of: ({ response_excerpt }) => response_excerpt?.slice(0, 200), cutTo: 6 },
];

async function list(desk: OpsContext, { eventType, ...flags }: ListFlags): Promise<void> {
  const query = { ...flags, event_type: eventType };
  desk.list(await desk.client.call<Page<DeliveryRow>>('platform', '/ops/deliveries', { query }), COLUMNS);
}

async function show(desk: OpsContext, id: string): Promise<void> {
  const path = `/ops/deliveries/${encodeURIComponent(id)}`;
  desk.show(await desk.client.call<DeliveryDetail>('platform', path), (delivery) => linesOf(desk, delivery));
}

function linesOf({ words, locale, width }: OpsContext, delivery: DeliveryDetail): string[] {
  const { endpoint, attempts_list: attempts } = delivery;
  const { sentences, steps } = whyDelivery(delivery, locale, clock);
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

function healthOf({
  enabled,
  disabled_reason,
  paused_until,
  consecutive_failures,
}: DeliveryDetail['endpoint'] & object) {
  const state = enabled ? 'enabled' : `disabled (${disabled_reason ?? 'by its tenant'})`;
  const paused = paused_until && Date.parse(paused_until) > Date.now() ? `, paused until ${clock(paused_until)}` : '';
  return `${state}${paused}, ${consecutive_failures} failures in a row`;
}

async function replay(desk: OpsContext, id: string | undefined, flags: ReplayFlags): Promise<void> {
  const { tenant, allTenants, module, eventType, status, since, until, rate, max, dryRun, yes } = flags;
  const filtered = [tenant, allTenants, module, eventType, status, since, until, rate, max, dryRun, yes];
  const byFilter = filtered.some((flag) => flag !== undefined);
  if ((id === undefined) !== byFilter) throw new WrongUse(desk.words.oneOrFilter);
  if (id === undefined) return replayByFilter(desk, flags);
  const path = `/ops/deliveries/${encodeURIComponent(id)}/replay`;
  if (!flags.reason?.trim()) throw new WrongUse(desk.words.why);
  const body = { reason: flags.reason };
  const row = await desk.client.call<DeliveryRow>('platform', path, { method: 'POST', body });
  desk.show(row, () => [desk.words.inLine(row.id)]);
}

/** deliveries list, show, replay. */
export function addDeliveries(program: Command, run: Run): void {
  const deliveries = program.command('deliveries').description('Webhooks on their way to one endpoint each.');
  deliveries
    .command('list')
    .description('The newest first, of all tenants unless told.')
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
    .addOption(new Option('--status <status...>', 'failed unless told').choices(['failed', 'delivered']))
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
