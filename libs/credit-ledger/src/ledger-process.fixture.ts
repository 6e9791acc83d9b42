/** One of the processes of the ledger's property test: random operations until its count is done or it is killed. */
import { createHash } from 'node:crypto';
import { Idempotency, requestFingerprint } from '@constancia/idempotency';
import { DomainError, SecretBox, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { ChargedWork, CreditLedger } from './index.ts';

interface Task {
  /** As signing_app, for units of work. */
  url: string;
  /** As identity_app, for holds and refunds. */
  identityUrl: string;
  tenants: string[];
  keys: string[];
  seed: number;
  operations: number;
}

const task = JSON.parse(process.argv[2] as string) as Task;
const database = await Database.connect({ url: task.url, applicationName: `ledger-${task.seed}`, poolSize: 6 });
const identity = await Database.connect({
  url: task.identityUrl,
  applicationName: `ledger-${task.seed}`,
  poolSize: 6,
});
const work = new ChargedWork(database, 'signing', new Idempotency('signing', new SecretBox([Buffer.alloc(32, 1)])));
const ledger = new CreditLedger();

let drawn = 0;
function random(below: number): number {
  return createHash('sha256').update(`${task.seed}:${drawn++}`).digest().readUInt32BE(0) % below;
}
const pick = <T>(items: T[]): T => items[random(items.length)] as T;

function accept(tenantId: string, key: string | undefined): Promise<unknown> {
  const id = uuidv7();
  return work.commit({
    tenantId,
    writes: [
      {
        table: 'signature_request',
        rows: [{ id, template_id: tenantId, subject_ref: 's', merge_data: {}, status: 'pending', credits_debited: 40 }],
      },
    ],
    debit: { module: 'seal', refType: 'signature_request', refId: id, amount: 40 },
    ...(key && {
      idempotency: {
        key,
        fingerprint: requestFingerprint({ method: 'POST', route: '/v1/signatures' }),
        response: { status: 202, headers: {}, body: JSON.stringify({ id }) },
      },
    }),
  });
}

async function holdAndSettle(tenantId: string): Promise<void> {
  const debit = { module: 'identity', refType: 'attempt', refId: uuidv7(), amount: 80 };
  const hold = await identity.tenant(tenantId, (tx) => ledger.hold(tx, tenantId, debit, 600));
  const settle = pick(['capture', 'release', 'neither'] as const);
  if (settle !== 'neither') await identity.tenant(tenantId, (tx) => ledger[settle](tx, hold));
}

async function debitThenRefund(tenantId: string): Promise<void> {
  const debit = { module: 'identity', refType: 'thing', refId: uuidv7(), amount: 8 };
  await identity.tenant(tenantId, (tx) => ledger.debit(tx, tenantId, debit));
  if (random(2) === 0) {
    await Promise.all([1, 2].map(() => identity.tenant(tenantId, (tx) => ledger.refund(tx, tenantId, debit))));
  }
}

async function operation(): Promise<void> {
  const tenantId = pick(task.tenants);
  const kind = random(10);
  try {
    if (kind < 4) await accept(tenantId, undefined);
    else if (kind < 7) await accept(tenantId, pick(task.keys));
    else if (kind < 9) await holdAndSettle(tenantId);
    else await debitThenRefund(tenantId);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

const lanes = Array.from({ length: 12 }, async () => {
  for (let i = 0; i < task.operations / 12; i++) await operation();
});
await Promise.all(lanes);
await database.close();
await identity.close();
