import { endpointIdOf } from '@constancia/events';
import { uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { pagesRead } from '@constancia/testing/history';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyDeliveries } from '../webhook-deliveries/many-deliveries.fixture.ts';

const HISTORY = 10_000;
const RARE = 'credits.balance.low';

let store: TestDatabase;
let tenantId: string;
let endpointId: string;

beforeAll(async () => {
  store = await testDatabase();
  ({ id: tenantId } = await testTenant(store));
  endpointId = endpointIdOf(tenantId, 'seal');
  await manyDeliveries(store, {
    ...{ tenantId, count: HISTORY, endpointId, rare: { endpointId: uuidv7(), eventType: RARE } },
  });
  await store.query('vacuum analyze platform.delivery');
});
afterAll(async () => {
  await store?.drop();
});

/** Orders a run that nobody carries out. */
async function runOf(statuses: string[], filter: Record<string, unknown> = {}): Promise<string> {
  const id = uuidv7();
  const run = { id, tenant_id: tenantId, status: 'cancelled', statuses, dry_run: true, max_deliveries: 1_000, ...filter };
  const defaults = { created_at: new Date(), next_slice_at: new Date(), matched: 0, replayed: 0, skipped: 0, missing: false };
  const none = '00000000-0000-0000-0000-000000000000';
  await store.query('insert into platform.replay_run select (jsonb_populate_record(null::platform.replay_run, $1)).*', [
    JSON.stringify({ ...defaults, cursor_event_id: none, cursor_id: none, ...run }),
  ]);
  return id;
} // prettier-ignore

const FOUND = `select m.* from platform.replay_run r, platform.replay_matching(r, $2) m where r.id = $1`;

describe('what a run finds', () => {
  it.each([
    ['failed ones of a type that has none', ['failed'], { event_type: 'case.opened' }],
    ['delivered ones of a type that has none', ['delivered'], { event_type: 'case.opened' }],
    ['delivered ones of a rare type', ['delivered'], { event_type: RARE }],
    ['delivered ones of a module that has none', ['delivered'], { module: 'openid' }],
    ['delivered ones of an endpoint that has none', ['delivered'], { endpoint_id: uuidv7() }],
    ['pending ones', ['pending'], {}],
    ['failed and pending ones of a module', ['failed', 'pending'], { module: 'seal' }],
  ])('is found without reading what is not: %s', async (_, statuses, filter) => {
    expect(await pagesRead(store, FOUND, [await runOf(statuses, filter), 1_000])).toBeLessThan(120);
  });

  it('is what a search through all deliveries finds, in the same order', async () => {
    await store.query(
      `update platform.delivery d set status = s.status, next_attempt_at = case when s.status = 'pending' then now() end,
              failed_at = case when s.status = 'failed' then now() end, endpoint_id = case when n % 3 = 0 then $2 else d.endpoint_id end
         from (select id, row_number() over (order by event_id) as n from platform.delivery where tenant_id = $1) o,
              lateral (select (array['pending', 'failed', 'delivered'])[1 + o.n * 7919 % 3] as status) s
        where o.id = d.id and o.n % 5 < 3`,
      [tenantId, uuidv7()],
    );
    const at = (share: number) => new Date(Date.now() - share * HISTORY * 1_000);
    const filters = [
      ...[{}, { module: 'seal' }, { module: 'billing' }, { event_type: 'screening.completed' }, { event_type: RARE }],
      ...[{ endpoint_id: endpointId }, { endpoint_id: endpointId, event_type: 'subject.verified' }],
      ...[{ from_at: at(0.7), to_at: at(0.3) }, { from_at: at(0.7), to_at: at(0.3), module: 'compliance' }],
    ];
    const [half] = await store.query<{ event_id: string; id: string }>(
      'select event_id, id from platform.delivery where tenant_id = $1 order by event_id offset 5000 limit 1',
      [tenantId],
    );
    const begun = { cursor_event_id: half?.event_id, cursor_id: half?.id };
    for (const statuses of [['failed'], ['delivered'], ['pending'], ['failed', 'delivered'], ['delivered', 'failed', 'pending']]) {
      for (const filter of filters.flatMap((each) => [each, { ...each, ...begun }])) {
        const id = await runOf(statuses, filter);
        const found = await store.query(FOUND, [id, 700]);
        const expected = await store.query(
          `select d.event_id, d.id, d.endpoint_id from platform.replay_run r join platform.delivery d on d.tenant_id = r.tenant_id
            where r.id = $1 and d.status = any(r.statuses) and (d.event_id, d.id) > (r.cursor_event_id, r.cursor_id)
              and (r.from_at is null or d.event_id >= platform.uuid_floor(r.from_at))
              and (r.to_at is null or d.event_id < platform.uuid_floor(r.to_at))
              and (r.module is null or d.module = r.module) and (r.event_type is null or d.event_type = r.event_type)
              and (r.endpoint_id is null or d.endpoint_id = r.endpoint_id) and d.created_at <= r.created_at
            order by d.event_id, d.id limit 700`,
          [id],
        );
        expect(found, JSON.stringify({ statuses, filter })).toEqual(expected);
      }
    }
  });
}); // prettier-ignore
