import type { Command } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Page } from '../ops-client.ts';
import type { Column } from '../table.ts';
import { clock, whole } from '../times.ts';

interface PendingGrant {
  id: string;
  slug: string;
  credits: number;
  reference: string;
  reason: string;
  requested_by: string;
  expires_at: string;
}

const COLUMNS: Column<PendingGrant>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'tenant', of: ({ slug }) => slug, cutTo: 12 },
  { title: 'credits', of: ({ credits }) => credits, right: true },
  { title: 'reference', of: ({ reference }) => reference, cutTo: 14 },
  { title: 'asked by', of: ({ requested_by }) => requested_by, cutTo: 10 },
  { title: 'until', of: ({ expires_at }) => clock(expires_at) },
  { title: 'reason', of: ({ reason }) => reason, cutTo: 14 },
];

async function list(desk: OpsContext, query: { limit: number; cursor?: string }): Promise<void> {
  desk.list(await desk.client.call<Page<PendingGrant>>('platform', '/ops/grants', { query: { ...query } }), COLUMNS);
}

const pathOf = (id: string, what: string) => `/ops/grants/${encodeURIComponent(id)}/${what}`;

async function approve(desk: OpsContext, id: string, body: { reason: string }): Promise<void> {
  const options = { method: 'POST' as const, body };
  const granted = await desk.client.call<{ balance: { available: number } }>(
    'platform',
    pathOf(id, 'approve'),
    options,
  );
  desk.show(granted, ({ balance }) => [desk.words.granted(id, balance.available, false)]);
}

async function withdraw(desk: OpsContext, id: string, body: { reason: string }): Promise<void> {
  const options = { method: 'POST' as const, body };
  desk.show(await desk.client.call<PendingGrant>('platform', pathOf(id, 'withdraw'), options), () => [
    desk.words.grantWithdrawn(id),
  ]);
}

/** grants list, approve, withdraw. */
export function addGrants(program: Command, run: Run): void {
  const grants = program.command('grants').description('Credits that wait for a second operator.');
  grants
    .command('list')
    .description('Those that wait, the newest first.')
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(list));
  grants
    .command('approve')
    .description('Gives the credits that another operator asked for. Needs a token of your own.')
    .argument('<id>', 'of the grant')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(approve));
  grants
    .command('withdraw')
    .description('Ends a grant that waits. Nothing is credited.')
    .argument('<id>', 'of the grant')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(withdraw));
}
