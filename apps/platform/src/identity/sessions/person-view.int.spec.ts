import { uuidOf } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '@constancia/testing/calls';
import {
  FlowCaller,
  type HarnessVerdict,
  runningIdentity,
  type RunningIdentity,
  type Session,
  WorkerHarness,
} from '../running-identity.fixture.ts';
import type { TrailEvent } from './session-trail.ts';

type Body = Record<string, unknown>;

/** Everything that the person may be shown. Anyone who adds a member decides here that the person may know it. */
const MEMBERS = [
  'id', 'subject_id', 'flow_id', 'status', 'current_step', 'last_outcome', 'reason', 'rejection_reason', 'step', 'created_at',
  'expires_at', 'completed_at', 'context',
]; // prettier-ignore
const CONSENT = ['accepted', 'version', 'locale', 'sha256', 'purposes', 'accepted_at'];
const PROBLEM = [
  'type', 'title', 'status', 'detail', 'instance', 'request_id', 'errors', 'reason', 'attempts_left', 'rejection_reason',
  'status_of_session', 'consent_version',
]; // prettier-ignore
/** What must be in no answer to the person, whatever the member. */
const NEVER =
  /sarlaft_?reject|screening_id|case_id|scr_|cas_|"score"|"decision"|manual_review"?[,}].*rejection|(?<!\d)0\.97|RUIZ/;

let store: TestDatabase;
let platform: RunningIdentity;
let worker: WorkerHarness;
let verdict: HarnessVerdict = { outcome: 'pass' };

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
  worker = await WorkerHarness.start(store, platform.kms, () => verdict);
});
afterAll(async () => {
  await worker?.stop();
  await platform?.close();
  await store?.drop();
});

/** One person with the session's token, and the tenant with its key. */
class Person {
  private constructor(
    readonly flows: FlowCaller,
    readonly session: Session,
  ) {}

  static async of(documentNumber = '1098765432'): Promise<Person> {
    verdict = { outcome: 'pass' };
    const flows = new FlowCaller(platform, await testTenant(store), store);
    await flows.seed();
    return new Person(flows, await flows.open({ document_number: documentNumber, external_ref: 'customer-9' }));
  }

  private headers(more: Record<string, string> = {}) {
    return { authorization: `Bearer ${this.session.session_token}`, ...more };
  }

  get(): Promise<Answer<Body>> {
    return platform.call(`/v1/flows/sessions/${this.session.id}`, { headers: this.headers() });
  }

  challenge(): Promise<Answer<Body>> {
    const path = `/v1/flows/sessions/${this.session.id}/liveness-challenge`;
    return platform.call(path, { method: 'POST', headers: this.headers() });
  }

  advance(input: object = {}, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    const path = `/v1/flows/sessions/${this.session.id}/advance`;
    return platform.call(path, { body: { input }, headers: this.headers(headers) });
  }

  async upTo(step: 'document_upload' | 'face_match' | 'sarlaft'): Promise<this> {
    const { flows, session } = this;
    seen(await this.advance({ accepted: true }));
    if (step !== 'document_upload') seen(await this.advance(await flows.documentInput(session)));
    if (step === 'sarlaft') seen(await this.advance(await flows.faceInput(session)));
    return this;
  }
}

/** Holds an answer to the person against what the person may know. */
function seen(answer: Answer<Body>): Answer<Body> {
  expect(answer.text).not.toMatch(NEVER);
  const allowed = answer.status < 400 ? MEMBERS : PROBLEM;
  expect(Object.keys(answer.body).filter((name) => !allowed.includes(name))).toEqual([]);
  for (const [step, answers] of Object.entries((answer.body.context ?? {}) as Record<string, Body>)) {
    const known = step === 'consent' ? CONSENT : ['skipped'];
    expect(
      Object.keys(answers).filter((name) => !known.includes(name)),
      step,
    ).toEqual([]);
  }
  return answer;
}

describe('the bearer of a session sees', () => {
  it('their acts under the kind session in the trail, beside those of the key', async () => {
    const person = await (await Person.of()).upTo('document_upload');
    await person.flows.advance(person.session, await person.flows.documentInput(person.session));
    const { body } = await platform.call<{ data: TrailEvent[]; chain_valid: boolean }>(
      `/v1/flows/sessions/${person.session.id}/audit`,
      { key: person.flows.tenant.apiKey },
    );
    const key = { kind: 'key', id: expect.any(String), name: expect.any(String) };
    const session = { kind: 'session', id: uuidOf('fls', person.session.id), name: 'subject' };
    expect(body.data.map(({ type, data }) => [type, data.by])).toEqual([
      ['opened', key],
      ['consent_given', session],
      ['step_started', key],
      ['step_accepted', undefined],
    ]);
    expect(body.chain_valid).toBe(true);
  });

  it('every step taken, with nothing of what was found', async () => {
    const person = await (await Person.of()).upTo('sarlaft');
    const { body } = seen(await person.get());
    expect(body).toMatchObject({ status: 'in_progress', current_step: 'sarlaft', last_outcome: 'advance' });
    expect(body.context).toMatchObject({ consent: { accepted: true }, document_upload: {}, face_match: {} });
    const full = await person.flows.show(person.session);
    expect(full.context.document_upload).toHaveProperty('fields');
    expect(full.context.face_match).toHaveProperty('score');
    expect(full).toHaveProperty('external_ref', 'customer-9');
  });

  it('why to try again and how often, also of a picture', async () => {
    const person = await (await Person.of()).upTo('document_upload');
    verdict = { outcome: 'retry', reason: 'blurred' };
    const again = seen(await person.advance(await person.flows.documentInput(person.session)));
    expect(again).toMatchObject({ status: 422, body: { reason: 'blurred', attempts_left: 2 } });
    expect(seen(await person.get()).body).toMatchObject({ reason: 'blurred', step: { attempts_left: 2 } });
  });

  it('the reason of a rejection by the face', async () => {
    const person = await Person.of('1999000003');
    await person.upTo('face_match');
    const answer = seen(await person.advance(await person.flows.faceInput(person.session)));
    expect(answer).toMatchObject({ status: 422, body: { rejection_reason: 'other_person' } });
  });

  it('of a copy of the portrait that it was not approved; the tenant sees that it was one', async () => {
    const person = await (await Person.of()).upTo('face_match');
    verdict = { outcome: 'reject', reason: 'portrait_copy' };
    const answer = seen(await person.advance(await person.flows.faceInput(person.session)));
    expect(answer).toMatchObject({ status: 422, body: { rejection_reason: 'not_approved' } });
    expect(answer.text).not.toContain('portrait_copy');
    expect(seen(await person.get()).body).toMatchObject({ status: 'failed', rejection_reason: 'not_approved' });
    expect(await person.flows.show(person.session)).toMatchObject({ rejection_reason: 'portrait_copy' });
  });

  it('of a rejection by the screening that it was not approved: in the problem, its replay, GET, advance and challenge', async () => {
    const person = await Person.of('1999000007');
    await person.upTo('sarlaft');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = seen(await person.advance({}, headers));
    expect(first).toMatchObject({ status: 422, body: { rejection_reason: 'not_approved' } });
    expect(first.text).not.toContain('sarlaft');
    const again = seen(await person.advance({}, headers));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toMatchObject({ rejection_reason: 'not_approved', detail: first.body.detail });

    const later = seen(await person.advance({}));
    expect(later).toMatchObject({ status: 409, body: { rejection_reason: 'not_approved' } });
    expect(seen(await person.challenge())).toMatchObject({ status: 409 });
    expect(seen(await person.get()).body).toMatchObject({ status: 'failed', rejection_reason: 'not_approved' });

    const full = await person.flows.advance(person.session, {}, headers);
    expect(full.body).toMatchObject({ rejection_reason: 'sarlaft' });
    expect(await person.flows.show(person.session)).toMatchObject({ rejection_reason: 'sarlaft' });
  });

  it('of a review that it lasts, and the same of its rejection as of any other', async () => {
    const person = await Person.of('1999000002');
    await person.upTo('sarlaft');
    const answer = seen(await person.advance({}));
    expect(answer.body).toMatchObject({ status: 'manual_review', last_outcome: 'review', context: { sarlaft: {} } });
    await store.query(
      `update identity.flow_session set status = 'failed', rejection_reason = 'manual_review', completed_at = now(),
              screening_id = 'scr_01', case_id = 'cas_01' where tenant_id = $1`,
      [person.flows.tenant.id],
    );
    expect(seen(await person.get()).body).toMatchObject({ rejection_reason: 'not_approved' });
  });

  it('nothing of an internal reason of the tenant’s set-up', async () => {
    const person = await (await Person.of()).upTo('sarlaft');
    await store.query(
      `update identity.flow_session set last_outcome = 'retry', last_reason = 'no_published_validation' where tenant_id = $1`,
      [person.flows.tenant.id],
    );
    expect(seen(await person.get()).body).not.toHaveProperty('reason');
  });
});
