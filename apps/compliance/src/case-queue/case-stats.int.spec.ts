import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';
import { manyCases } from '../cases/many-cases.fixture.ts';
import type { CaseStatsView } from './case-stats.ts';

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
});
afterAll(async () => bench?.close());
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});

type Totals = Pick<CaseStatsView, 'median_hours_to_resolve' | 'sla_breaches' | 'ros_drafts'> & { resolved: number };

async function asked(of = cases): Promise<Totals & Pick<CaseStatsView, 'resolved_since'>> {
  const { by_status, median_hours_to_resolve, sla_breaches, ros_drafts, resolved_since } = (
    await of.get<CaseStatsView>('/v1/cases/stats')
  ).body;
  return { resolved: by_status.resolved as number, median_hours_to_resolve, sla_breaches, ros_drafts, resolved_since };
}

/** The same from every case. */
async function counted(tenantId: string, since: string): Promise<Totals> {
  const [row] = await bench.store.query<Totals>(
    `select count(resolved_at)::int as resolved, count(sla_breached_at)::int as sla_breaches, count(ros_reference)::int as ros_drafts,
            percentile_cont(0.5) within group (order by extract(epoch from resolved_at - opened_at) / 3600) as median_hours_to_resolve
       from compliance.review_case
      where tenant_id = $1 and erasure_id is null and (status <> 'resolved' or resolved_at >= $2)`,
    [tenantId, since],
  );
  return row as Totals;
}

async function expectExact(of = cases): Promise<void> {
  const { resolved_since, median_hours_to_resolve: median, ...numbers } = await asked(of);
  const { median_hours_to_resolve: exact, ...others } = await counted(of.tenant.id, resolved_since);
  expect(numbers).toEqual(others);
  if (exact === null) expect(median).toBeNull();
  else expect(Math.abs((median as number) - exact)).toBeLessThanOrEqual(exact * 0.01 + 0.0055); // half of 0.01 h, and a second
}

const storedDays = (tenantId: string) =>
  bench.store.query<{ day: string; resolved: number; written: string }>(
    `select day::text, resolved, xmin::text as written from compliance.case_stats_day where tenant_id = $1 order by day`,
    [tenantId],
  );

interface PastCase {
  /** When it was resolved; null: it waits. */
  daysAgo: number | null;
  hours: number;
  breached: boolean;
  drafted: boolean;
}

/** Cases as they are said to be, oldest id first. */
async function past(tenantId: string, wanted: readonly PastCase[]): Promise<string[]> {
  await manyCases(bench.store, tenantId, { count: wanted.length });
  const rows = await bench.store.query<{ id: string }>(
    `with wanted as (
       select nth, now() - make_interval(secs => "daysAgo" * 86400) as at, make_interval(secs => hours * 3600) as took, breached, drafted
         from rows from (jsonb_to_recordset($2) as ("daysAgo" float8, hours float8, breached boolean, drafted boolean)) with ordinality
              w ("daysAgo", hours, breached, drafted, nth)
     ), found as (select id, row_number() over (order by id) as nth from compliance.review_case where tenant_id = $1)
     update compliance.review_case c
        set status = case when at is null then 'open' else 'resolved' end, decision = case when at is not null then 'approve' end,
            resolved_at = at, opened_at = coalesce(at, now()) - took, sla_breached_at = case when breached then now() end,
            ros_reference = case when drafted then 'ROS-1' end, ros_draft = case when drafted then '{}'::jsonb end
       from found join wanted using (nth) where c.id = found.id returning c.id`,
    [tenantId, JSON.stringify(wanted)],
  );
  return rows.map(({ id }) => id).sort();
}

const RESOLVED = { daysAgo: 10.5, hours: 6, breached: false, drafted: false };

/** What may become of a case, as SQL. */
const CHANGES = {
  reopened: `update compliance.review_case set status = 'open', resolved_at = null, decision = null where id = $1`,
  resolved: `update compliance.review_case
                set status = 'resolved', decision = 'approve', resolved_at = now() - interval '3 days',
                    opened_at = least(opened_at, now() - interval '4 days') where id = $1`,
  moved: `update compliance.review_case
             set resolved_at = resolved_at - interval '2 days', opened_at = opened_at - interval '2 days' where id = $1`,
  'opened earlier': `update compliance.review_case set opened_at = opened_at - interval '50 hours' where id = $1`,
  breached: `update compliance.review_case set sla_breached_at = now() where id = $1`,
  drafted: `update compliance.review_case set ros_reference = 'ROS-2', ros_draft = '{}' where id = $1`,
  erased: `update compliance.review_case set erasure_id = gen_random_uuid() where id = $1`,
  deleted: `with terms as (delete from compliance.case_term where case_id = $1)
            delete from compliance.review_case where id = $1`,
};

describe('the numbers of cases', () => {
  it('are those of all cases, whatever their history, and whatever becomes of old ones', async () => {
    const pastCase = fc.record({
      daysAgo: fc.option(fc.double({ min: 0, max: 99, noNaN: true }), { freq: 8 }),
      hours: fc.double({ min: -9, max: 8, noNaN: true }).map((log) => Math.exp(log)),
      breached: fc.boolean(),
      drafted: fc.boolean(),
    });
    const change = fc.record({ nth: fc.nat(), change: fc.constantFrom(...Object.values(CHANGES)) });
    const histories = fc.asyncProperty(
      fc.array(pastCase, { minLength: 1, maxLength: 60 }),
      fc.array(change, { maxLength: 12 }),
      async (wanted, changes) => {
        const tenant = await TenantCases.of(bench);
        const ids = await past(tenant.tenant.id, wanted);
        await expectExact(tenant);
        for (const { nth, change: sql } of changes) {
          await bench.store.query(sql, [ids[nth % ids.length]]);
          if (nth % 3 > 0) await expectExact(tenant);
        }
        await expectExact(tenant);
      },
    );
    await fc.assert(histories, { numRuns: 25 });
  }, 120_000);

  it.each(Object.entries(CHANGES))('know a case of a day that was counted when it is %s', async (_, change) => {
    const [id] = await past(cases.tenant.id, [RESOLVED, { ...RESOLVED, daysAgo: null }, { ...RESOLVED, hours: 40 }]);
    await expectExact();
    const before = await asked();
    await bench.store.query(change, [id]);
    await expectExact();
    if (change !== CHANGES.moved && change !== CHANGES.resolved) expect(await asked()).not.toEqual(before);
  });

  it('know what members do with old cases, and erasures', async () => {
    const [reopened, erased] = [
      await cases.openIn('resolved'),
      await cases.openIn('resolved', { subjectRef: 'erased-1' }),
    ];
    await bench.store.query(
      `update compliance.review_case set resolved_at = now() - interval '20 days', opened_at = now() - interval '21 days'
        where tenant_id = $1`,
      [cases.tenant.id],
    );
    expect(await asked()).toMatchObject({ resolved: 2 });
    expect((await cases.act(reopened, 'reopen')).status).toBe(200);
    expect(await asked()).toMatchObject({ resolved: 1 });
    const body = { subject_ref: 'erased-1' };
    await bench.compliance.call('/v1/erasures', { method: 'POST', key: cases.tenant.apiKey, body });
    expect((await cases.show(erased)).status).toBe(404);
    expect(await asked()).toMatchObject({ resolved: 0, median_hours_to_resolve: null });
    await cases.act(reopened, 'resolve');
    await expectExact();
  });

  it('count a day that is over once, with and without cases, and keep no older one', async () => {
    await past(cases.tenant.id, [RESOLVED]);
    const { resolved_since } = await asked();
    const days = await storedDays(cases.tenant.id);
    expect(days).toHaveLength(90);
    expect(days[0]?.day).toBe(resolved_since.slice(0, 10));
    expect(days.filter(({ resolved }) => resolved > 0)).toHaveLength(1);
    await bench.store.query(
      `insert into compliance.case_stats_day
       select tenant_id, day - 90, resolved, breached, drafted, buckets, upto from compliance.case_stats_day where tenant_id = $1`,
      [cases.tenant.id],
    );
    await asked();
    expect(await storedDays(cases.tenant.id)).toEqual(days);
  });

  it('are those of the tenant alone', async () => {
    const other = await TenantCases.of(bench);
    await past(cases.tenant.id, [RESOLVED, RESOLVED]);
    const [id] = await past(other.tenant.id, [{ ...RESOLVED, breached: true, drafted: true, hours: 90 }]);
    await expectExact();
    await expectExact(other);
    const days = await storedDays(cases.tenant.id);
    await bench.store.query(CHANGES.reopened, [id]);
    expect(await storedDays(cases.tenant.id)).toEqual(days);
    await bench.database.tenant(cases.tenant.id, async (tx) => {
      const seen = await tx.query('select distinct tenant_id from compliance.case_stats_day');
      expect(seen).toEqual([{ tenant_id: cases.tenant.id }]);
    });
    const asAnother = bench.database.tenant(cases.tenant.id, (tx) =>
      tx.query(`select compliance.count_case_days($1, '2026-01-01')`, [other.tenant.id]),
    );
    await expect(asAnother).rejects.toThrow('the transaction is of another tenant');
  });
});

describe('a case of a day that is being counted', () => {
  const COUNT = `select compliance.count_case_days($1, (now() at time zone 'utc')::date - 90)`;
  let member: pg.Client;
  let reader: pg.Client;
  let id: string;

  beforeEach(async () => {
    [id] = (await past(cases.tenant.id, [RESOLVED, RESOLVED])) as [string];
    [member, reader] = [await connected(), await connected()];
  });
  afterEach(() => Promise.all([member, reader].map((client) => client.end())));

  /** A transaction of the tenant, on a connection of its own. */
  async function connected(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: bench.store.app('compliance') });
    await client.connect();
    await client.query(`begin; select set_config('app.tenant_id', '${cases.tenant.id}', true)`);
    return client;
  }

  it('is changed, and the change is committed after the numbers were asked for', async () => {
    await member.query(CHANGES.reopened, [id]);
    expect(await asked()).toMatchObject({ resolved: 2 });
    expect(await storedDays(cases.tenant.id)).toHaveLength(89);
    await member.query('commit');
    expect(await asked()).toMatchObject({ resolved: 1 });
    expect(await storedDays(cases.tenant.id)).toHaveLength(90);
  });

  it('is changed, and the change is committed after counting began', async () => {
    await reader.query('select now()');
    await member.query(CHANGES.reopened, [id]);
    await member.query('commit');
    await reader.query(COUNT, [cases.tenant.id]);
    await reader.query('commit');
    expect(await asked()).toMatchObject({ resolved: 1 });
  });

  it('is changed once the day has been counted', async () => {
    await reader.query(COUNT, [cases.tenant.id]);
    let changed = false;
    const change = member.query(CHANGES.reopened, [id]).then(() => (changed = true));
    await expect.poll(() => waiting('advisory')).toBe(1);
    expect(changed).toBe(false);
    await reader.query('commit');
    await change;
    expect(await asked()).toMatchObject({ resolved: 2 });
    await member.query('commit');
    expect(await asked()).toMatchObject({ resolved: 1 });
  });

  it('is counted by two at once', async () => {
    await reader.query(COUNT, [cases.tenant.id]);
    expect(await asked()).toMatchObject({ resolved: 2 });
    await reader.query('commit');
    expect(await storedDays(cases.tenant.id)).toHaveLength(90);
    await expectExact();
  });

  /** Locks of this database that are waited for. */
  async function waiting(type: string): Promise<number> {
    const [row] = await bench.store.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and not granted and locktype = $1`,
      [type],
    );
    return row?.waiting ?? 0;
  }

  it('is changed by many while many ask', async () => {
    const ids = await past((cases = await TenantCases.of(bench)).tenant.id, Array<PastCase>(40).fill(RESOLVED));
    const changes = [CHANGES.reopened, CHANGES.resolved, CHANGES.moved, CHANGES.breached];
    const [askers, members] = [
      [1, 2, 3],
      [0, 1, 2],
    ];
    await Promise.all([
      ...askers.map(async () => {
        for (let nth = 0; nth < 40; nth++) await asked();
      }),
      ...members.map(async (first) => {
        for (let nth = 0; nth < 150; nth++) {
          const sql = changes[nth % changes.length] as string;
          await bench.database.tenant(cases.tenant.id, (tx) => tx.query(sql, [ids[(first + nth * 3) % ids.length]]));
        }
      }),
    ]);
    await expectExact();
  });
});
