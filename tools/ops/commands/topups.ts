import { operations, type Reason, type SentRefund, type TopupRefund } from '@constancia/operations';
import type { Command } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Column } from '../table.ts';
import { clock, whole } from '../times.ts';

const COLUMNS: Column<TopupRefund>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'tenant', of: ({ slug }) => slug, cutTo: 12 },
  { title: 'top-up', of: ({ topup_id }) => topup_id },
  { title: 'COP', of: ({ amount_cop }) => amount_cop, right: true },
  { title: 'status', of: ({ status }) => status },
  { title: 'asked by', of: ({ requested_by }) => requested_by, cutTo: 10 },
  { title: 'until', of: ({ expires_at }) => clock(expires_at) },
];

interface RefundFlags extends Reason {
  amount?: number;
  payment?: string;
  reference?: string;
}

const sentLines = (
  { words }: Pick<OpsContext, 'words'>,
  { refund: { topup_id, amount_cop }, topup_status, available }: SentRefund,
): string[] => [words.refunded(topup_id, amount_cop, topup_status, available)];

async function refund(context: OpsContext, id: string, flags: RefundFlags): Promise<void> {
  const { amount, payment, reference, reason } = flags;
  const body = { amount_cop: amount, payment_id: payment, reference, reason };
  context.show(await context.send(operations.refundTopup(id, body)), (answer) =>
    answer.pending === undefined
      ? sentLines(context, answer)
      : [context.words.refundWaits(answer.pending.id, clock(answer.pending.expires_at))],
  );
}

async function refunds(context: OpsContext, query: { limit: number; cursor?: string }): Promise<void> {
  await context.list(operations.topupRefunds({ ...query }), COLUMNS);
}

async function approve(context: OpsContext, id: string, { reason }: Reason): Promise<void> {
  context.show(await context.send(operations.approveRefund(id, { reason })), (sent) => sentLines(context, sent));
}

async function withdraw(context: OpsContext, id: string, { reason }: Reason): Promise<void> {
  const ended = await context.send(operations.withdrawRefund(id, { reason }));
  context.show(ended, () => [context.words.refundWithdrawn(id)]);
}

/** topups refund, refunds, approve, withdraw. */
export function addTopups(program: Command, run: Run): void {
  const topups = program.command('topups').description('Payments that are given back.');
  topups
    .command('refund')
    .description('Gives a payment back; its credits are reversed. Safe to repeat: once per top-up and reference.')
    .argument('<top_…>', 'of the top-up')
    .option('--amount <pesos>', 'a part of it; without it everything that is left', whole(1, 1_000_000_000))
    .option('--payment <id>', 'which one, when several payments of the top-up hold money')
    .option('--reference <text>', 'of the ticket: needed for a second refund of the same top-up')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(refund));
  topups
    .command('refunds')
    .description('Those that wait for a second operator or for the provider, the newest first.')
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(refunds));
  topups
    .command('approve')
    .description('Gives back what another operator asked for. Needs a token of your own.')
    .argument('<id>', 'of the refund')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(approve));
  topups
    .command('withdraw')
    .description('Ends a refund that waits. Nothing is given back.')
    .argument('<id>', 'of the refund')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(withdraw));
}
