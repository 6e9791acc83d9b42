import { type Command, Option } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Page } from '../ops-client.ts';
import type { Column } from '../table.ts';
import { age, clock, whole } from '../times.ts';
import type { EndpointRow } from './rows.ts';

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

function stateOf({ enabled, disabled_reason, paused_until, consecutive_failures }: EndpointRow): string {
  if (!enabled) return `disabled${disabled_reason ? `: ${disabled_reason}` : ''}`;
  if (paused_until && Date.parse(paused_until) > Date.now()) return `paused ${age(paused_until)}`;
  return consecutive_failures > 0 ? 'failing' : 'well';
}

interface ListFlags {
  tenant?: string;
  health?: string;
  limit: number;
  cursor?: string;
}

async function list(desk: OpsContext, flags: ListFlags): Promise<void> {
  const query = { ...flags };
  desk.list(await desk.client.call<Page<EndpointRow>>('platform', '/ops/endpoints', { query }), ENDPOINT_COLUMNS);
}

const pathOf = (id: string, act: string) => `/ops/endpoints/${encodeURIComponent(id)}/${act}`;

async function pause(
  desk: OpsContext,
  id: string,
  { minutes, reason }: { minutes: number; reason: string },
): Promise<void> {
  const body = { minutes, reason };
  const row = await desk.client.call<EndpointRow>('platform', pathOf(id, 'pause'), { method: 'POST', body });
  desk.show(row, () => [desk.words.paused(row.id, clock(row.paused_until))]);
}

async function resume(desk: OpsContext, id: string, { reason }: { reason: string }): Promise<void> {
  const body = { reason };
  const row = await desk.client.call<EndpointRow>('platform', pathOf(id, 'resume'), { method: 'POST', body });
  desk.show(row, () => [desk.words.resumed(row.id)]);
}

/** endpoints list, pause, resume. */
export function addEndpoints(program: Command, run: Run): void {
  const endpoints = program.command('endpoints').description("Tenants' webhook receivers.");
  endpoints
    .command('list')
    .description('All, or those in trouble.')
    .option('--tenant <slug or id>', 'of one tenant')
    .addOption(new Option('--health <state>', 'only these').choices(['failing', 'paused', 'disabled']))
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
