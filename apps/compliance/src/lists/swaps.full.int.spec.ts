import { eventually, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { importEntries, type MadeEntry } from './list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { ScreeningView } from '../screenings/screening-view.ts';
import type { ListView } from './list-view.ts';
import { Lists } from './lists.ts';

const SWAPS = 20;
const NAME = 'Cambiante Ficticio Versionado';

let database: TestDatabase;
let first: RunningCompliance;
let second: RunningCompliance;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  // Both begin at once with an empty store: one of them imports the sandbox's lists, and the other finds them.
  [first, second] = await Promise.all([runningCompliance(database), runningCompliance(database)]);
  tenant = await testTenant(database);
  await Promise.all([first, second].map((one) => listsLoaded(one, tenant.apiKey)));
  await seededValidation(first, tenant.apiKey);
});
afterAll(async () => {
  await Promise.all([first?.close(), second?.close()]);
  await database?.drop();
});

/** A list whose entries all say which version they are of. */
const versioned = (nth: number): MadeEntry[] =>
  Array.from({ length: 30 }, (_, at) => ({
    id: `V-${at}`,
    name: at === 0 ? NAME : `Relleno Ficticio ${'abcdefghijklmnopqrstuvwxyzñáéí'[at]}utoria`,
    programmes: `V${nth}`,
  }));

async function versionOf(app: RunningCompliance, code: string): Promise<string | undefined> {
  const { body } = await app.call<{ data: ListView[] }>('/v1/lists', { key: tenant.apiKey });
  return body.data.find((list) => list.code === code)?.version;
}

describe('a swap of lists', () => {
  it('is made once for both processes of a sandbox that begins', async () => {
    const rows = await database.query<{ list: string; status: string }>(
      'select list, status from compliance.list_version',
    );
    expect(rows).toHaveLength(5);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['active']));
  });

  it('fails no request and mixes no versions, twenty times under load, in both processes', async () => {
    const programmeOf = new Map<string, string>();
    const seen: ScreeningView[] = [];
    let swapping = true;
    const load = [first, second, first, second].map(async (app, nth) => {
      while (swapping) {
        const { status, body, text } = await app.call<ScreeningView>('/v1/screenings/dry-run', {
          key: tenant.apiKey,
          body: { subject_ref: `load-${nth}`, subject_type: 'natural', payload: { full_name: NAME } },
        });
        expect(status, text).toBe(200);
        seen.push(body);
      }
    });
    const swaps = (async () => {
      for (let nth = 0; nth < SWAPS; nth++) {
        const outcome = await importEntries(nth % 2 === 0 ? first : second, 'ONU', versioned(nth));
        programmeOf.set(outcome.version, `V${nth}`);
      }
    })().finally(() => (swapping = false));
    await Promise.all([swaps, ...load]);

    const used = new Set<string>();
    for (const { hits, list_versions } of seen) {
      const version = (list_versions as Record<string, string>).ONU as string;
      if (!programmeOf.has(version)) continue; // before the first swap
      used.add(version);
      expect(hits.map(({ programmes }) => programmes)).toEqual([[programmeOf.get(version)]]);
    }
    expect(used.size).toBeGreaterThan(5);
    const last = [...programmeOf.keys()].at(-1);
    for (const app of [first, second]) await eventually(async () => expect(await versionOf(app, 'ONU')).toBe(last));
  }, 120_000);

  it('is noticed without an announcement, too', async () => {
    const deaf = Reflect.get(second.app.get(Lists), 'listener') as { close(): Promise<void> };
    await deaf.close();
    const before = await versionOf(second, 'PEP');
    await importEntries(first, 'PEP', versioned(0));
    await eventually(async () => expect(await versionOf(second, 'PEP')).not.toBe(before), 10_000);
  });

  it('leaves the last good list in place when the new one cannot be loaded, and is made once it can', async () => {
    const good = await versionOf(second, 'EU_SANCTIONS');
    await database.query(
      `create function compliance.spoil() returns trigger language plpgsql as $$ begin new.bytes := '\\x00'; return new; end $$`,
    );
    await database.query(
      `create trigger spoil before insert on compliance.list_content for each row when (new.part = 'index') execute function compliance.spoil()`,
    );
    const { version } = await importEntries(first, 'EU_SANCTIONS', versioned(1)).finally(async () => {
      await database.query('drop trigger spoil on compliance.list_content');
      await database.query('drop function compliance.spoil()');
    });
    await second.app.get(Lists).refresh();
    expect(await versionOf(second, 'EU_SANCTIONS')).toBe(good);
    // Taken away, the index is built again from the stored entries.
    await database.query(
      `delete from compliance.list_content c using compliance.list_version v
        where v.id = c.version_id and v.list = 'EU_SANCTIONS' and v.status = 'active' and c.part = 'index'`,
    );
    for (const app of [first, second]) {
      await eventually(async () => expect(await versionOf(app, 'EU_SANCTIONS')).toBe(version), 15_000);
    }
  }, 40_000);

  it('lets a stored screening be computed again from the versions that it saw', async () => {
    await importEntries(first, 'ONU', versioned(100));
    const body = { subject_ref: 'replayed', subject_type: 'natural', payload: { full_name: NAME } };
    const made = await first.call<ScreeningView>('/v1/screenings', { key: tenant.apiKey, body });
    await importEntries(first, 'ONU', versioned(101));
    const replay = await second.call<{ identical: boolean }>(`/v1/screenings/${made.body.id}/replay`, {
      key: tenant.apiKey,
    });
    expect(replay.body.identical, replay.text).toBe(true);
  });
});
