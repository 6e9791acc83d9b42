import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { opsPortOf } from '@constancia/testing/ops-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { ListView } from './list-view.ts';

let database: TestDatabase;
let compliance: RunningCompliance;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
});

afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

async function listsOf(key: string): Promise<ListView[]> {
  return (await compliance.call<{ data: ListView[] }>('/v1/lists', { key })).body.data;
}

describe('the lists of a sandbox', () => {
  it('are shown by the ops port’s readiness probe, with their age, and do not count as stale on the first day', async () => {
    const ops = await opsPortOf(compliance.app);
    await eventually(async () => {
      const body = (await (await fetch(`${ops.url}/readyz`)).json()) as {
        lists: Record<string, object>;
        missing_lists: string[];
      };
      expect(Object.keys(body.lists)).toHaveLength(5);
      expect(body.lists.OFAC).toMatchObject({ version: expect.stringMatching(/^1-/), stale: false });
      expect(body.missing_lists).toEqual([]);
    });
    await ops.close();
    const stale = (await listsOf((await testTenant(database)).apiKey)).map((list) => list.stale);
    expect(stale).toEqual([false, false, false, false, false]);
  });

  it('are there from the start: fictional ones, and the FATF table', async () => {
    const { apiKey } = await testTenant(database);
    const lists = await eventually(async () => {
      const found = await listsOf(apiKey);
      expect(found).toHaveLength(5);
      return found;
    });
    expect(lists.map(({ code, fictional }) => [code, fictional])).toEqual([
      ['OFAC', true],
      ['ONU', true],
      ['PEP', true],
      ['EU_SANCTIONS', true],
      ['FATF', true],
    ]);
    expect(lists.at(-1)).toMatchObject({ entries: 25, published_at: '2026-02-13T00:00:00.000Z', own: false });
  });
});
