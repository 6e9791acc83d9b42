import type { ScreeningRequest, ScreeningResult, ScreeningResultMessage } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import type { Queues } from '@constancia/queue';
import { eventually, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queuesOfApp } from '../../../../libs/queue/src/queues-of-app.fixture.ts';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { ScreeningPage } from '../screenings/screening-view.ts';
import type { ValidationPage } from '../validations/validation-view.ts';

let database: TestDatabase;
let compliance: RunningCompliance;
let platform: Queues;
let tenant: TestTenant;
const results: ScreeningResultMessage[] = [];

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
  platform = await queuesOfApp(database, 'platform', () => ({
    'screening-result': async (message) => void results.push(message),
  }));
  await listsLoaded(compliance, (await testTenant(database)).apiKey);
});

beforeEach(async () => {
  tenant = await testTenant(database);
});

afterAll(async () => {
  await platform?.close({ drainMs: 0 });
  await compliance?.close();
  await database?.drop();
});

function send(requestId: string, request: ScreeningRequest | object, dedupId = uuidv7()): void {
  const sealed = platform.seal(request);
  platform.hint('screening-request', { v: 1, request_id: requestId, tenant_id: tenant.id, sealed }, dedupId);
}

/** The answers to a request, once there are so many. */
const answers = (requestId: string, count = 1): Promise<ScreeningResult[]> =>
  eventually(() => {
    const found = results.filter(({ request_id }) => request_id === requestId);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return found.map(({ sealed }) => platform.open(sealed) as ScreeningResult);
  }, 20_000);

const SUBJECT = {
  kind: 'screen',
  validation_code: 'default',
  subject_ref: 'sub_1',
  subject_type: 'natural',
  payload: { full_name: 'Aurelio Ficticio Ejemplar', birth_date: '1955-09-30', country_code: 'CO' },
} as const satisfies ScreeningRequest;
const screenings = async () =>
  (await compliance.call<ScreeningPage>('/v1/screenings', { key: tenant.apiKey })).body.data;

describe('a request of the identity module', () => {
  it('is screened, kept without a charge of its own, and answered', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const requestId = uuidv7();
    send(requestId, SUBJECT);
    const [answer] = await answers(requestId);
    const [kept, ...others] = await screenings();
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ trigger: 'identity', credits_debited: 0, subject_ref: 'sub_1', decision: 'review' });
    const { id: screening_id, case_id, decision, score, list_hits } = kept as NonNullable<typeof kept>;
    expect(answer).toEqual({ outcome: 'screened', screening_id, case_id, decision, score, list_hits });
    const [account] = await database.query<{ available: number }>(
      `select available::int as available from platform.credit_account where tenant_id = $1`,
      [tenant.id],
    );
    expect(account?.available).toBe(1000);
  });

  it('that comes again, even at the same time, is carried out once and answered each time', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const requestId = uuidv7();
    for (let nth = 0; nth < 4; nth++) send(requestId, SUBJECT);
    const first = await answers(requestId);
    send(requestId, SUBJECT);
    const all = await answers(requestId, first.length + 1);
    expect(all.every((answer) => JSON.stringify(answer) === JSON.stringify(all[0]))).toBe(true);
    expect(await screenings()).toHaveLength(1);
  });

  it('without a published validation, or with a bad payload, is refused and leaves nothing', async () => {
    const [missing, bad, strange] = [uuidv7(), uuidv7(), uuidv7()];
    send(missing, SUBJECT);
    expect(await answers(missing)).toMatchObject([{ outcome: 'refused', reason: 'no_published_validation' }]);
    await seededValidation(compliance, tenant.apiKey);
    send(bad, { ...SUBJECT, payload: { full_name: '', country_code: 'XX' } });
    send(strange, { kind: 'dance' });
    expect(await answers(bad)).toMatchObject([{ outcome: 'refused', reason: 'invalid_request' }]);
    expect(await answers(strange)).toMatchObject([{ outcome: 'refused', reason: 'invalid_request' }]);
    expect(await screenings()).toEqual([]);
    send(missing, SUBJECT);
    expect((await answers(missing, 2)).at(-1)).toMatchObject({ outcome: 'screened' });
  });

  it('for the canonical validation publishes it where the tenant has none, once', async () => {
    const ids = Array.from({ length: 3 }, () => uuidv7());
    for (const id of ids) send(id, { kind: 'seed_default' });
    const seeded = (await Promise.all(ids.map((id) => answers(id)))).map(([answer]) => answer);
    expect(seeded.filter((answer) => answer?.outcome === 'seeded' && answer.created)).toHaveLength(1);
    const { body } = await compliance.call<ValidationPage>('/v1/validations', { key: tenant.apiKey });
    expect(body.data).toMatchObject([{ code: 'default', status: 'published', version: 1, rules: 20 }]);
    expect(new Set(seeded.map((answer) => answer?.outcome === 'seeded' && answer.validation_id))).toEqual(
      new Set([body.data[0]?.id]),
    );
  });

  it('about a case resolves it, or reports that somebody else did', async () => {
    const opened = async () => {
      const requestId = uuidv7();
      send(requestId, { ...SUBJECT, subject_ref: `sub-${requestId}` });
      const [answer] = await answers(requestId);
      if (answer?.outcome !== 'screened' || answer.case_id === null) throw new Error('no case was opened');
      return { requestId, case_id: answer.case_id };
    };
    const ask = async (request: object) => {
      const id = uuidv7();
      send(id, request);
      return (await answers(id))[0];
    };
    await seededValidation(compliance, tenant.apiKey);
    const [there, here] = [await opened(), await opened()];
    expect(await ask({ kind: 'case_state', case_id: there.case_id })).toMatchObject({
      outcome: 'case',
      decision: null,
    });
    const decision = { kind: 'resolve_case', decision: 'reject', reason: 'Documento ajeno.', actor: 'Ana Gómez' };
    expect(await ask({ ...decision, case_id: there.case_id })).toMatchObject({ outcome: 'case', decision: 'reject' });
    const { body: shown } = await compliance.call(`/v1/cases/${there.case_id}`, { key: tenant.apiKey });
    expect(shown).toMatchObject({ status: 'resolved' });

    const resolve = { decision: 'false_positive', reason: 'Homónimo: otra fecha de nacimiento.' };
    await compliance.call(`/v1/cases/${here.case_id}/resolve`, { key: tenant.apiKey, body: resolve });
    expect((await answers(here.requestId, 2)).at(-1)).toEqual({
      outcome: 'case',
      case_id: here.case_id,
      decision: 'approve',
    });
    expect(await ask({ ...decision, case_id: here.case_id })).toMatchObject({ outcome: 'case', decision: 'approve' });
    const stranger = await ask({ ...decision, case_id: 'cas_01kamx8c6ne5v8d2w6tq0v1m3z' });
    expect(stranger).toMatchObject({ outcome: 'refused', reason: 'invalid_request' });
  });

  it('about a case waits for a second person where the tenant asks for one', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const settings = { method: 'PUT', key: tenant.apiKey, body: { four_eyes: 'all', trusted_actor: true } };
    await compliance.call('/v1/compliance-settings', settings);
    const [screened, resolved] = [uuidv7(), uuidv7()];
    send(screened, SUBJECT);
    const [answer] = await answers(screened);
    const case_id = answer?.outcome === 'screened' ? answer.case_id : null;
    send(resolved, { kind: 'resolve_case', case_id, decision: 'approve', reason: 'Homónimo.', actor: 'Ana Gómez' });
    expect(await answers(resolved)).toMatchObject([{ outcome: 'case', decision: null }]);
    const confirm = { method: 'POST', key: tenant.apiKey, headers: { 'x-actor': 'Luis Peña' } };
    expect((await compliance.call(`/v1/cases/${case_id}/confirm`, confirm)).status).toBe(200);
    expect((await answers(screened, 2)).at(-1)).toMatchObject({ outcome: 'case', decision: 'approve' });
  });
});
