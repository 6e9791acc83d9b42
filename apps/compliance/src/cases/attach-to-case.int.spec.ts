import { Database, verifyChain } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attachToCase, caseChanged } from './attach-to-case.ts';
import { timelineOf } from '../case-records/case-timeline.ts';
import { attached, callFunction, noticedScreening, readContext } from './cases.fixture.ts';
import type { CaseKey } from '../case-records/noticed-screening.ts';
import { COMPLIANCE_TABLES } from '../tables.ts';

let store: TestDatabase;
let database: Database;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  database = await Database.connect({
    url: store.app('compliance'),
    applicationName: 'test',
    entities: COMPLIANCE_TABLES,
  });
});
beforeEach(async () => {
  tenant = await testTenant(store);
});
afterAll(async () => {
  await database?.close();
  await store?.drop();
});

const context = (key: CaseKey) => readContext(database, tenant.id, key);
const timeline = (caseId: string) => database.tenant(tenant.id, (tx) => timelineOf(tx, tenant.id, caseId));

describe('a screening with decision review or reject', () => {
  it('opens a case with a due date, and the event case.opened', async () => {
    const screening = noticedScreening({ decision: 'reject', score: 100 });
    const attachment = attachToCase(tenant.id, await context(screening), screening);
    await database.tenant(tenant.id, (tx) => callFunction(tx, tenant.id, attachment.call));
    expect(attachment).toMatchObject({ opens: true, emits: true });
    expect(attachment.events.map(({ event_type }) => event_type)).toEqual(['case.opened']);
    const { openCase } = await context(screening);
    expect(openCase).toMatchObject({ id: attachment.caseId, status: 'open', priority: 'high', ros_drafted: false });
    expect(openCase?.due_at.getTime()).toBe(screening.at.getTime() + 24 * 3_600_000);
    const events = await timeline(attachment.caseId);
    expect(events).toMatchObject([{ seq: 1, type: 'opened', from: null, to: 'open', actor: 'live_abcd' }]);
    expect(verifyChain(events).valid).toBe(true);
  });

  it('is attached to the open case of its subject and validation, which becomes as urgent as the worse of the two', async () => {
    const first = noticedScreening({ decision: 'review', score: 10 });
    const { caseId } = await attached(database, tenant.id, first);
    const second = await attached(database, tenant.id, {
      ...first,
      decision: 'reject',
      score: 100,
      listHits: ['ONU'],
      rulesFired: ['SARLAFT-ONU-001'],
    });
    expect(second).toMatchObject({ caseId, opens: false, events: [] });
    expect((await context(first)).openCase).toMatchObject({
      priority: 'critical',
      list_hits: ['ONU', 'PEP'],
      rules_fired: ['SARLAFT-PEP-001', 'SARLAFT-ONU-001'],
    });
    expect((await timeline(caseId)).map(({ type }) => type)).toEqual(['opened', 'screening_attached']);
  });

  it('of a list update is distinguished in the timeline', async () => {
    const first = noticedScreening();
    const { caseId } = await attached(database, tenant.id, first);
    await attached(database, tenant.id, { ...first, trigger: 'list_update', actor: 'system' });
    expect((await timeline(caseId)).map(({ type }) => type)).toEqual(['opened', 'rescreened']);
  });

  it('opens one case for a natural and one for a legal person with the same reference', async () => {
    const first = noticedScreening();
    const a = await attached(database, tenant.id, first);
    const b = await attached(database, tenant.id, { ...first, subjectType: 'legal' });
    expect(b.opens).toBe(true);
    expect(b.caseId).not.toBe(a.caseId);
  });

  it('of another tenant opens a case of its own', async () => {
    const first = noticedScreening();
    await attached(database, tenant.id, first);
    const other = await testTenant(store);
    expect((await attached(database, other.id, first)).opens).toBe(true);
  });
});

describe('an assumption that no longer holds', () => {
  it('refuses to open a second case: the unit does nothing and may be built again', async () => {
    const screening = noticedScreening();
    const stale = await context(screening);
    await attached(database, tenant.id, screening);
    const { call } = attachToCase(tenant.id, stale, screening);
    const refused = await database
      .tenant(tenant.id, (tx) => callFunction(tx, tenant.id, call))
      .catch((e: unknown) => e);
    expect(caseChanged(refused)).toBe(true);
  });

  it('refuses to attach to a case that was worked on in between', async () => {
    const screening = noticedScreening();
    await attached(database, tenant.id, screening);
    const stale = await context(screening);
    await attached(database, tenant.id, screening);
    const { call } = attachToCase(tenant.id, stale, screening);
    const refused = await database
      .tenant(tenant.id, (tx) => callFunction(tx, tenant.id, call))
      .catch((e: unknown) => e);
    expect(caseChanged(refused)).toBe(true);
  });

  it('leaves one open case when many screenings come at once and try again', async () => {
    const screening = noticedScreening();
    const screened = async (): Promise<string> => {
      for (;;) {
        try {
          return (await attached(database, tenant.id, screening)).caseId;
        } catch (error) {
          if (!caseChanged(error)) throw error;
        }
      }
    };
    const cases = await Promise.all(Array.from({ length: 8 }, screened));
    expect(new Set(cases).size).toBe(1);
    const events = await timeline(cases[0] as string);
    expect(events).toHaveLength(8);
    expect(verifyChain(events).valid).toBe(true);
  });
});
