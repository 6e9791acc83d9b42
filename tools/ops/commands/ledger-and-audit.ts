import {
  actText,
  type ChainHead,
  type LedgerVerification,
  type OperatorAct,
  operations,
  valueText,
} from '@constancia/operations';
import { type Command, InvalidArgumentError } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import { type Column, table } from '../table.ts';
import { stamp, whole } from '../times.ts';
import { EXIT } from '../failures.ts';

const FAULTS: Column<LedgerVerification['faults'][number]>[] = [
  { title: 'tenant', of: ({ slug, tenant_id }) => `${slug} ${tenant_id}` },
  { title: 'what', of: ({ what }) => what, cutTo: 20 },
  { title: 'expected', of: ({ expected }) => valueText(expected), right: true },
  { title: 'found', of: ({ found }) => valueText(found), right: true },
];

const ACTS: Column<OperatorAct>[] = [
  { title: 'seq', of: ({ seq }) => seq, right: true },
  { title: 'at', of: ({ at }) => stamp(at) },
  { title: 'operator', of: ({ operator }) => operator, cutTo: 8 },
  { title: 'act', of: ({ type }) => type },
  { title: 'reason', of: ({ data }) => valueText(data?.reason), cutTo: 14 },
  { title: 'what', of: ({ data }) => actText(data, ['reason']), cutTo: 20 },
];

async function verifyLedger(context: OpsContext, { tenant }: { tenant?: string }): Promise<void> {
  const { words, width } = context;
  const found = await context.send(operations.verifyLedger({ tenant }));
  const wrong = found.faults.length > 0 || found.drift_credits !== 0;
  context.show(found, ({ faults, tenants, entries, archived_entries, open_holds, stale_holds }) => [
    wrong ? words.ledgerWrong(faults.length) : words.ledgerFine(entries, tenants),
    ...(archived_entries > 0 ? [words.inFiles(archived_entries)] : []),
    words.holds(open_holds, stale_holds),
    ...(faults.length > 0 ? ['', ...table(FAULTS, faults, width)] : []),
  ]);
  if (wrong) process.exitCode = EXIT.faultFound;
}

interface ListFlags {
  by?: string;
  act?: string;
  limit: number;
  cursor?: string;
}

async function listActs(context: OpsContext, { by, act, limit, cursor }: ListFlags): Promise<void> {
  await context.list(operations.acts({ operator: by, action: act, limit, cursor }), ACTS);
}

async function verifyActs(context: OpsContext, { head }: { head?: ChainHead }): Promise<void> {
  const { words } = context;
  const state = await context.send(operations.verifyActs(head));
  context.show(state, () => [
    state.valid
      ? words.chainFine(state.acts, state.head && `${state.head.seq}:${state.head.hash}`)
      : words.chainBroken(state.seq, state.fault),
  ]);
  if (!state.valid) process.exitCode = EXIT.faultFound;
}

/** "12:9f86…", as a verification shows it. For commander's options. */
function headIn(text: string): ChainHead {
  const [, seq, hash] = /^(\d{1,10}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined)
    throw new InvalidArgumentError('As a verification shows it: <seq>:<64 characters of its hash>.');
  return { seq: Number(seq), hash };
}

/** ledger verify; audit list, verify. */
export function addLedgerAndAudit(program: Command, run: Run): void {
  program
    .command('ledger')
    .description('Credits.')
    .command('verify')
    .description('Adds every account up again. Exit code 3 when something is not correct.')
    .option('--tenant <slug or id>', 'only this one')
    .action(run(verifyLedger));
  const audit = program.command('audit').description('What operators did.');
  audit
    .command('list')
    .description('The newest first.')
    .option('--by <operator>', 'of one operator')
    .option('--act <type>', 'of one type')
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(listActs));
  audit
    .command('verify')
    .description('Whether the chain of acts is whole. Exit code 3 when it is not.')
    .option(
      '--head <seq:hash>',
      'which must still be in it: noted elsewhere, it shows that nothing was cut off',
      headIn,
    )
    .action(run(verifyActs));
}
