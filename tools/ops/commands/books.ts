import { type Command, InvalidArgumentError } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import type { Page } from '../ops-client.ts';
import { type Column, table } from '../table.ts';
import { stamp, whole } from '../times.ts';
import { EXIT } from '../trouble.ts';

interface Verification {
  tenants: number;
  entries: number;
  drift_credits: number;
  faults: { tenant_id: string; slug: string; what: string; expected: unknown; found: unknown }[];
  open_holds: number;
  stale_holds: number;
}

interface Act {
  seq: number;
  at: string;
  type: string;
  operator: string;
  tenant_id: string | null;
  data: Record<string, unknown> | null;
  hash: string;
}

interface Head {
  seq: number;
  hash: string;
}

type ChainState = { valid: true; acts: number; head: Head | null } | { valid: false; seq: number; fault: string };

const FAULTS: Column<Verification['faults'][number]>[] = [
  { title: 'tenant', of: ({ slug, tenant_id }) => `${slug} ${tenant_id}` },
  { title: 'what', of: ({ what }) => what, cutTo: 20 },
  { title: 'expected', of: ({ expected }) => textOf(expected), right: true },
  { title: 'found', of: ({ found }) => textOf(found), right: true },
];

const ACTS: Column<Act>[] = [
  { title: 'seq', of: ({ seq }) => seq, right: true },
  { title: 'at', of: ({ at }) => stamp(at) },
  { title: 'operator', of: ({ operator }) => operator, cutTo: 8 },
  { title: 'act', of: ({ type }) => type },
  { title: 'reason', of: ({ data }) => textOf(data?.reason), cutTo: 14 },
  { title: 'what', of: whatOf, cutTo: 20 },
];

function whatOf({ data }: Act): string {
  return Object.entries(data ?? {})
    .filter(([name, value]) => name !== 'reason' && value !== null)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(' ');
}

const withoutNulls = (_: string, value: unknown): unknown => value ?? undefined;
const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value, withoutNulls) : String(value ?? '');

async function verifyLedger(desk: OpsContext, { tenant }: { tenant?: string }): Promise<void> {
  const { words, width } = desk;
  const found = await desk.client.call<Verification>('platform', '/ops/ledger/verify', { query: { tenant } });
  const wrong = found.faults.length > 0 || found.drift_credits !== 0;
  desk.show(found, ({ faults, tenants, entries, open_holds, stale_holds }) => [
    wrong ? words.ledgerWrong(faults.length) : words.ledgerFine(entries, tenants),
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

async function listActs(desk: OpsContext, { by, act, limit, cursor }: ListFlags): Promise<void> {
  const query = { operator: by, action: act, limit, cursor };
  desk.list(await desk.client.call<Page<Act>>('platform', '/ops/audit', { query }), ACTS);
}

async function verifyActs(desk: OpsContext, { head }: { head?: Head }): Promise<void> {
  const { words } = desk;
  const query = head && { seq: head.seq, hash: head.hash };
  const state = await desk.client.call<ChainState>('platform', '/ops/audit/verify', query ? { query } : {});
  desk.show(state, () => [
    state.valid
      ? words.chainFine(state.acts, state.head && `${state.head.seq}:${state.head.hash}`)
      : words.chainBroken(state.seq, state.fault),
  ]);
  if (!state.valid) process.exitCode = EXIT.faultFound;
}

/** "12:9f86…", as a verification shows it. For commander's options. */
function headIn(text: string): Head {
  const [, seq, hash] = /^(\d{1,10}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined)
    throw new InvalidArgumentError('As a verification shows it: <seq>:<64 characters of its hash>.');
  return { seq: Number(seq), hash };
}

/** ledger verify; audit list, verify. */
export function addBooks(program: Command, run: Run): void {
  program
    .command('ledger')
    .description('Credits.')
    .command('verify')
    .description('Adds every account up anew. Exit code 3 when something does not hold.')
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
