import { type ApiKeyRow, operations, type TenantRow } from '@constancia/operations';
import type { Command } from 'commander';
import type { OpsContext, Run } from '../ops-context.ts';
import { type Column, facts, table } from '../table.ts';
import { age, clock, whole } from '../times.ts';
import { ENDPOINT_COLUMNS } from './endpoints.ts';

const COLUMNS: Column<TenantRow>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'slug', of: ({ slug }) => slug, cutTo: 12 },
  { title: 'name', of: ({ display_name }) => display_name, cutTo: 12 },
  { title: 'plan', of: ({ plan }) => plan },
  { title: 'standing', of: ({ standing }) => standing },
  { title: 'credits', of: ({ available }) => available, right: true },
  { title: 'held', of: ({ held }) => held, right: true },
  { title: 'made', of: ({ created_at }) => age(created_at), right: true },
];

const KEYS: Column<ApiKeyRow>[] = [
  { title: 'key', of: ({ prefix }) => `${prefix}…` },
  { title: 'status', of: ({ status }) => status },
  { title: 'made', of: ({ created_at }) => clock(created_at) },
  { title: 'ends', of: ({ expires_at }) => (expires_at === null ? '' : clock(expires_at)) },
];

async function list(context: OpsContext, flags: { search?: string; limit: number; cursor?: string }): Promise<void> {
  await context.list(operations.tenants({ ...flags }), COLUMNS);
}

async function show(context: OpsContext, tenant: string): Promise<void> {
  const { width } = context;
  context.show(await context.send(operations.tenant(tenant)), (found) => [
    ...facts([
      ['tenant', `${found.slug} (${found.id})`],
      ['name', found.display_name],
      ['plan', `${found.plan}, ${found.environment}`],
      ['credits', `${found.available}, and ${found.held} held by ${found.open_holds} holds`],
      ['made', clock(found.created_at)],
      ...standing(found),
      ...closing(found),
    ]),
    '',
    ...table(KEYS, found.keys, width),
    ...(found.endpoints.length > 0 ? ['', ...table(ENDPOINT_COLUMNS, found.endpoints, width)] : []),
  ]);
}

const standing = ({ standing: name, standing_since: since }: TenantRow): [string, string][] =>
  name === 'active' ? [] : [['standing', `${name} since ${clock(since)}`]];

const closing = ({ closing: found }: TenantRow): [string, string][] =>
  found === null
    ? []
    : [
        ['closing', `requested by ${found.requested_by} ${clock(found.requested_at)}, ends ${clock(found.closes_at)}`],
        ...(found.reason === null ? [] : ([['reason', found.reason]] satisfies [string, string][])),
        ...(found.closed_at === null
          ? []
          : ([['left', `${found.credits_left} credits, and ${found.credits_held} held, when it was closed`]] satisfies [
              string,
              string,
            ][])),
      ];

/** Every member on a line of its own: the key and the secret whole. */
const members = (made: object): string[] =>
  facts(
    Object.entries(made).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );

interface CreateFlags {
  slug: string;
  name: string;
  ownerEmail: string;
  credits?: number;
  reason: string;
}

async function create(context: OpsContext, { slug, name, ownerEmail, credits, reason }: CreateFlags): Promise<void> {
  const body = { slug, name, owner_email: ownerEmail, credits, reason };
  const made = await context.send(operations.createTenant(body));
  context.show(made, (tenant) => [...members(tenant), '', context.words.tenantMade]);
}

interface GrantFlags {
  credits: number;
  reference: string;
  reason: string;
}

async function grant(context: OpsContext, tenant: string, { credits, reference, reason }: GrantFlags): Promise<void> {
  const answer = await context.send(operations.grantCredits(tenant, { credits, reference, reason }));
  context.show(answer, (granted) =>
    granted.pending === undefined
      ? [context.words.granted(tenant, granted.balance.available, granted.repeated)]
      : [context.words.grantWaits(granted.pending.id, clock(granted.pending.expires_at))],
  );
}

interface SuspensionFlags {
  reason: string;
  message?: string;
}

async function suspend(context: OpsContext, tenant: string, { reason, message }: SuspensionFlags): Promise<void> {
  const row = await context.send(operations.suspendTenant(tenant, { reason, message }));
  context.show(row, ({ slug, standing_since: since }) => [context.words.tenantSuspended(slug, clock(since))]);
}

async function resume(context: OpsContext, tenant: string, { reason, message }: SuspensionFlags): Promise<void> {
  const row = await context.send(operations.resumeTenant(tenant, { reason, message }));
  context.show(row, ({ slug }) => [context.words.tenantResumed(slug)]);
}

/** tenants list, show, create, grant, suspend, resume. */
export function addTenants(program: Command, run: Run): void {
  const tenants = program.command('tenants').description('Tenants and their credits.');
  tenants
    .command('list')
    .description('The newest first.')
    .option('--search <text>', 'in slug or name')
    .option('--limit <n>', 'rows', whole(1, 500), 50)
    .option('--cursor <cursor>', 'go on from the page before')
    .action(run(list));
  tenants
    .command('show')
    .description('One tenant: environment, balance, endpoints.')
    .argument('<tenant>', 'slug or id')
    .action(run(show));
  tenants
    .command('create')
    .description('A tenant in production, where nobody signs up by themselves. Shows its key and secret once.')
    .requiredOption('--slug <slug>', 'its short name, for good')
    .requiredOption('--name <name>', 'as people read it')
    .requiredOption('--owner-email <address>', 'who can recover its key')
    .option('--credits <n>', 'granted at once', whole(1, 10_000_000))
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(create));
  tenants
    .command('grant')
    .description('Credits for a tenant. The same reference counts once, so it is safe to repeat.')
    .argument('<tenant>', 'slug or id')
    .requiredOption('--credits <n>', 'how many', whole(1, 10_000_000))
    .requiredOption('--reference <text>', 'of the order or invoice')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(run(grant));
  tenants
    .command('suspend')
    .description('No credential of the tenant is accepted, and nothing is sent for it, until it is resumed.')
    .argument('<tenant>', 'slug or id')
    .requiredOption('--reason <text>', 'why, for the audit log of operators')
    .option('--message <text>', 'what the mail to its owners says')
    .action(run(suspend));
  tenants
    .command('resume')
    .description('Ends a suspension: what waited is sent.')
    .argument('<tenant>', 'slug or id')
    .requiredOption('--reason <text>', 'why, for the audit log of operators')
    .option('--message <text>', 'what the mail to its owners says')
    .action(run(resume));
}
