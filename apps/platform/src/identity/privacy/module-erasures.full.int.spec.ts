import type { ErasureRequest, ErasureRequestMessage, ModuleErasure } from '@constancia/contracts';
import type { Queues } from '@constancia/queue';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
  wipePostgresQueues,
} from '@constancia/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queuesOfApp } from '../../../../../libs/queue/src/queues-of-app.fixture.ts';
import { FlowCaller, type RunningIdentity, runningIdentity } from '../running-identity.fixture.ts';

type OtherModule = 'compliance' | 'signing';
interface Receipt {
  receipt_id: string;
  modules: ModuleErasure[];
}

const CANARY_EMAIL = 'canaria@ejemplo.co';

let database: TestDatabase;
let platform: RunningIdentity;
let tenant: TestTenant;
let flows: FlowCaller;
const running: Queues[] = [];

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningIdentity(database);
});

beforeEach(async () => {
  tenant = await testTenant(database);
  flows = new FlowCaller(platform, tenant, database);
  await flows.seed();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((queues) => queues.close({ drainMs: 0 })));
});

afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

/** Another module, as its consumer: answers what it is asked, and remembers it. */
async function otherModule(module: OtherModule, answers = true) {
  const asked: ErasureRequest[] = [];
  const work = (queues: Queues) => ({
    [`${module}-erasure`]: async ({ id, tenant_id, sealed }: ErasureRequestMessage) => {
      asked.push(queues.open(sealed) as ErasureRequest);
      if (!answers) return;
      const result = { module, status: 'done', erased: ['a'], kept: [], legal_basis: null, kept_until: null } as const;
      queues.hint('erasure-result', { v: 1, id, tenant_id, sealed: queues.seal(result) }, `${module}-${id}`);
    },
  });
  running.push(await queuesOfApp(database, module, work));
  return asked;
}

const erase = (id: string) =>
  platform.call<Receipt>(`/v1/kyc/subjects/${id}`, { method: 'DELETE', key: tenant.apiKey });
const shown = async (id: string, key = tenant.apiKey) => platform.call<Receipt>(`/v1/erasures/${id}`, { key });
const states = ({ modules }: Receipt) => Object.fromEntries(modules.map(({ module, status }) => [module, status]));
const DONE = { identity: 'done', compliance: 'done', signing: 'done' };

describe('an erasure', () => {
  it('reaches every module by every reference of the person, and its receipt says what each did', async () => {
    const [compliance, signing] = [await otherModule('compliance'), await otherModule('signing')];
    const session = await flows.open({ external_ref: 'customer-9', email: CANARY_EMAIL });
    const { status, body } = await erase(session.subject_id);
    expect(status).toBe(200);
    expect(states(body)).toEqual(DONE);
    expect(body.modules[0]).toMatchObject({ module: 'identity', legal_basis: expect.any(String) as string });
    for (const asked of [compliance, signing]) {
      expect(asked[0]).toMatchObject({ email: CANARY_EMAIL, actor: expect.any(String) as string });
      expect(asked[0]?.subject_refs.toSorted()).toEqual(['customer-9', session.subject_id]);
    }
    expect((await shown(body.receipt_id)).body).toEqual(body);
  });

  it('answers in a moment while a module is unavailable, and is finished when it is back, though the queue was wiped', async () => {
    await otherModule('signing');
    const session = await flows.open({ email: CANARY_EMAIL });
    const began = performance.now();
    const { body } = await erase(session.subject_id);
    expect(performance.now() - began).toBeLessThan(6_000);
    expect(states(body)).toEqual({ ...DONE, compliance: 'pending' });
    await wipePostgresQueues((sql) => database.query(sql));
    await otherModule('compliance');
    await database.query('update identity.erasure_module set asked_at = null');
    await eventually(async () => expect(states((await shown(body.receipt_id)).body)).toEqual(DONE));
    const [left] = await database.query<{ n: number }>(
      'select count(*)::int as n from identity.erasure_module where tenant_id = $1 and sealed_request is not null',
      [tenant.id],
    );
    expect(left?.n).toBe(0);
  });

  it('repeated answers the same receipt and asks nobody again', async () => {
    const asked = await otherModule('compliance');
    await otherModule('signing');
    const session = await flows.open();
    const first = await erase(session.subject_id);
    const again = await erase(session.subject_id);
    expect(again.body).toEqual(first.body);
    expect(asked).toHaveLength(1);
  });

  it('keeps asking a module that does not answer, at growing distances', async () => {
    const asked = await otherModule('compliance', false);
    const session = await flows.open();
    await erase(session.subject_id);
    await eventually(() => expect(asked.length).toBeGreaterThan(1), 15_000);
    const due = async (asks: number) => {
      await database.query(
        `update identity.erasure_module set asks = $1, asked_at = now() - interval '30 s' where tenant_id = $2`,
        [asks, tenant.id],
      );
      const [row] = await database.query<{ n: number }>(
        `select count(*)::int as n from identity.erasure_module where tenant_id = $1 and status = 'pending' and asked_at <= now() -
           make_interval(secs => least(60, 3 * power(2, least(10, greatest(0, asks - 5)))))`,
        [tenant.id],
      );
      return row?.n;
    };
    expect(await due(40)).toBe(0);
  });

  it('of a release that asked no other module is finished by the sweep', async () => {
    const session = await flows.open({ external_ref: 'customer-9' });
    const { body } = await erase(session.subject_id);
    await database.query('delete from identity.erasure_module where tenant_id = $1', [tenant.id]);
    await wipePostgresQueues((sql) => database.query(sql)); // with what was asked before
    const [compliance] = [await otherModule('compliance'), await otherModule('signing')];
    await eventually(async () => expect(states((await shown(body.receipt_id)).body)).toEqual(DONE));
    expect(compliance.at(-1)?.subject_refs).toEqual([session.subject_id]);
  });

  it('keeps nothing of the request in the clear, and shows a receipt to its tenant alone', async () => {
    const session = await flows.open({ email: CANARY_EMAIL, external_ref: 'customer-9' });
    const { body } = await erase(session.subject_id);
    const rows = await database.query<{ text: string }>('select m::text as text from identity.erasure_module m');
    for (const { text } of rows) expect(text).not.toContain(Buffer.from(CANARY_EMAIL).toString('hex'));
    const other = await testTenant(database);
    expect((await shown(body.receipt_id, other.apiKey)).status).toBe(404);
    expect((await shown('rcp_x')).status).toBe(404);
  });
});
