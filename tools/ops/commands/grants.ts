import { operations, type PendingGrant, type Reason } from '@constancia/operations';
import type { Command } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Column } from '../table.ts';
import { clock, whole } from '../times.ts';

const COLUMNS: Column<PendingGrant>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'tenant', of: ({ slug }) => slug, cutTo: 12 },
  { title: 'credits', of: ({ credits }) => credits, right: true },
  { title: 'reference', of: ({ reference }) => reference, cutTo: 14 },
  { title: 'asked by', of: ({ requested_by }) => requested_by, cutTo: 10 },
  { title: 'until', of: ({ expires_at }) => clock(expires_at) },
  { title: 'reason', of: ({ reason }) => reason, cutTo: 14 },
];

async function list(context: OpsContext, query: { limit: number; cursor?: string }): Promise<void> {
  await context.list(operations.grants({ ...query }), COLUMNS);
}

async function approve(context: OpsContext, id: string, { reason }: Reason): Promise<void> {
  const granted = await context.send(operations.approveGrant(id, { reason }));
  context.show(granted, ({ balance }) => [context.words.granted(id, balance.available, false)]);
}

async function withdraw(context: OpsContext, id: string, { reason }: Reason): Promise<void> {
  const grant = await context.send(operations.withdrawGrant(id, { reason }));
  context.show(grant, () => [context.words.grantWithdrawn(id)]);
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
