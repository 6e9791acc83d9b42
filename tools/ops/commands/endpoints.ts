import { ENDPOINT_HEALTHS, endpointHealth, type EndpointRow, operations, type Reason } from '@constancia/operations';
import { type Command, Option } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Column } from '../table.ts';
import { age, clock, whole } from '../times.ts';

/** How endpoints are shown. */
export const ENDPOINT_COLUMNS: Column<EndpointRow>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'tenant', of: ({ slug }) => slug, cutTo: 8 },
  { title: 'module', of: ({ module }) => module },
  { title: 'state', of: stateOf },
  { title: 'failures', of: ({ consecutive_failures }) => consecutive_failures, right: true },
  { title: 'since', of: ({ first_failure_at }) => age(first_failure_at), right: true },
  { title: 'due', of: ({ due }) => due, right: true },
  { title: 'url', of: ({ url }) => url, cutTo: 16 },
];

function stateOf(endpoint: EndpointRow): string {
  const { disabled_reason: reason, paused_until: until } = endpoint;
  const health = endpointHealth(endpoint);
  if (health === 'disabled' && reason) return `disabled: ${reason}`;
  return health === 'paused' ? `paused ${age(until)}` : health;
}

interface ListFlags {
  tenant?: string;
  health?: string;
  limit: number;
  cursor?: string;
}

async function list(context: OpsContext, flags: ListFlags): Promise<void> {
  await context.list(operations.endpoints({ ...flags }), ENDPOINT_COLUMNS);
}

async function pause(
  context: OpsContext,
  id: string,
  { minutes, reason }: Reason & { minutes: number },
): Promise<void> {
  const row = await context.send(operations.pauseEndpoint(id, { minutes, reason }));
  context.show(row, () => [context.words.paused(row.id, clock(row.paused_until))]);
}

async function resume(context: OpsContext, id: string, { reason }: Reason): Promise<void> {
  const row = await context.send(operations.resumeEndpoint(id, { reason }));
  context.show(row, () => [context.words.resumed(row.id)]);
}

/** endpoints list, pause, resume. */
export function addEndpoints(program: Command, run: Run): void {
  const endpoints = program.command('endpoints').description("Tenants' webhook receivers.");
  endpoints
    .command('list')
    .description('All, or those that fail, are paused or disabled.')
    .option('--tenant <slug or id>', 'of one tenant')
    .addOption(new Option('--health <state>', 'only these').choices(ENDPOINT_HEALTHS))
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(list));
  endpoints
    .command('pause')
    .description('Nothing is attempted for a while, and nothing is lost.')
    .argument('<id>', 'whe_…')
    .requiredOption('--minutes <n>', 'for how long', whole(1, 10_080))
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(pause));
  endpoints
    .command('resume')
    .description('Ends a pause; enables again what the service had disabled.')
    .argument('<id>', 'whe_…')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(resume));
}
