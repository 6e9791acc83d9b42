/**
 * Debit + record + event + idempotency row per second, durable commits, against the transaction that one would write at
 * first: begin, look up the key, select the account for update, insert four rows, update the balance, commit.
 */
import { createHash } from 'node:crypto';
import { ChargedWork } from '@constancia/credit-ledger';
import { eventRecord } from '@constancia/events';
import { Idempotency } from '@constancia/idempotency';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import pg from 'pg';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';
import { benchDatabase } from './bench-database.ts';
import { compare, perSecond, report } from './measure.ts';

const CALLERS = 64;
const MS = 4_000;
const ROUNDS = 5;

const store = await benchDatabase([PLATFORM, SIGNING]);
const admin = new pg.Pool({ connectionString: store.adminUrl, max: 16 });
admin.on('error', (error) => console.error('pool', error.message, new Date().toISOString()));
const database = await Database.connect({
  url: store.app('signing'),
  applicationName: 'bench',
  poolSize: 16,
});
const work = new ChargedWork(database, 'signing', new Idempotency('signing', new SecretBox([Buffer.alloc(32, 1)])));

async function makeTenants(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  await admin.query(
    `insert into platform.tenant (id, slug, display_name, owner_email, plan, environment, webhook_secret)
     select id, 't' || replace(id::text, '-', ''), 'x', 'x@example.com', 'sandbox', 'sandbox', '' from unnest($1::uuid[]) id`,
    [ids],
  );
  await admin.query(
    'insert into platform.credit_account (tenant_id, available) select id, 1000000000 from unnest($1::uuid[]) id',
    [ids],
  );
  await admin.query(
    `insert into signing.template (id, tenant_id, code, name, sha256, size_bytes, storage_key)
     select id, id, 'bench', 'bench', $2, 1, 'bench' from unnest($1::uuid[]) id`,
    [ids, Buffer.alloc(32)],
  );
  return ids;
}

function unitFacts(tenantId: string) {
  const id = uuidv7();
  return {
    id,
    key: crypto.randomUUID(),
    fingerprint: createHash('sha256').update(id).digest(),
    body: JSON.stringify({ id, status: 'pending', credits_debited: 40 }),
    event: eventRecord({
      tenantId,
      module: 'seal',
      type: 'seal.signature.completed',
      payload: { request_id: id, note: 'x'.repeat(300) },
    }),
  };
}

async function ours(tenantId: string): Promise<void> {
  const facts = unitFacts(tenantId);
  await work.commit({
    tenantId,
    idempotency: {
      key: facts.key,
      fingerprint: facts.fingerprint,
      response: { status: 202, headers: {}, body: facts.body },
    },
    writes: [
      {
        table: 'signature_request',
        rows: [
          {
            id: facts.id,
            template_id: tenantId,
            subject_ref: 's',
            merge_data: {},
            status: 'pending',
            credits_debited: 40,
          },
        ],
      },
    ],
    debit: { module: 'seal', refType: 'signature_request', refId: facts.id, amount: 40 },
    events: [facts.event],
  });
}

async function plain(tenantId: string): Promise<void> {
  const facts = unitFacts(tenantId);
  const client = await admin.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from signing.idempotency_key where tenant_id = $1 and key = $2', [
      tenantId,
      facts.key,
    ]);
    const { rows } = await client.query(
      'select available, last_seq from platform.credit_account where tenant_id = $1 for update',
      [tenantId],
    );
    const { available, last_seq: lastSeq } = rows[0] as { available: number; last_seq: number };
    if (available < 40) throw new Error('too few credits');
    await client.query(
      `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, merge_data, status, credits_debited)
       values ($1, $2, $2, 's', '{}', 'pending', 40)`,
      [facts.id, tenantId],
    );
    await client.query(
      `insert into platform.credit_entry (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id)
       values ($1, $2, 'debit', -40, 40, $3, 'tenant:available', 'system:revenue', 'signing', 'signature_request', $4)`,
      [tenantId, lastSeq + 1, available - 40, facts.id],
    );
    await client.query('update platform.credit_account set available = $2, last_seq = $3 where tenant_id = $1', [
      tenantId,
      available - 40,
      lastSeq + 1,
    ]);
    await client.query('select platform_v1.emit_event($1, $2, $3, $4, $5, $6, $7)', [
      facts.event.event_id,
      tenantId,
      'seal',
      facts.event.event_type,
      facts.event.occurred_at,
      facts.event.body,
      null,
    ]);
    await client.query(
      'insert into signing.idempotency_key (tenant_id, key, fingerprint, status, body) values ($1, $2, $3, 202, $4)',
      [tenantId, facts.key, facts.fingerprint, Buffer.from(facts.body)],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const [hot] = (await makeTenants(1)) as [string];
const many = await makeTenants(1_000);
let next = 0;
const spread = () => many[next++ % many.length] as string;

const hotResult = await compare(
  ROUNDS,
  () => perSecond(CALLERS, MS, () => ours(hot)),
  () => perSecond(CALLERS, MS, () => plain(hot)),
);
const spreadResult = await compare(
  ROUNDS,
  () => perSecond(CALLERS, MS, () => ours(spread())),
  () => perSecond(CALLERS, MS, () => plain(spread())),
);
await database.close();
await admin.end();
await store.drop();
const rate = (value: number) => `${Math.round(value)}/s`;
report([
  {
    name: 'Ledger, one hot tenant',
    ours: rate(hotResult.ours),
    other: `${rate(hotResult.other)} (select for update)`,
    ratio: hotResult.ratio,
    goal: '≥ 20',
  },
  {
    name: 'Ledger, 1,000 tenants',
    ours: rate(spreadResult.ours),
    other: `${rate(spreadResult.other)} (select for update)`,
    ratio: spreadResult.ratio,
    goal: '≥ 8',
  },
]);
console.log(
  `rounds: hot ${hotResult.ratios.map((r) => r.toFixed(1)).join(', ')}; spread ${spreadResult.ratios.map((r) => r.toFixed(1)).join(', ')}`,
);
