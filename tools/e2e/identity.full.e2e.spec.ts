import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ageOn, bogotaDay } from '@constancia/kernel';
import {
  eventually, redisInstalled, startRedis, type TestRedis, type TestStack, webhookSink, type WebhookSink,
} from '@constancia/testing'; // prettier-ignore
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstPair, hasFaces, photo } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import {
  brokenInvariants,
  inStore,
  type Integrator,
  NO_LIMITS,
  signUp,
  startDeployment,
} from './deployment.fixture.ts';
import {
  cedulaOf, type Holder, killChildrenOf, Onboarding, type QueueWatch, readyForOnboarding, watchQueues,
} from './identity.fixture.ts'; // prettier-ignore

const APPS = ['platform', 'compliance', 'biometrics-worker', 'webhook-dispatcher'] as const;

// Names and numbers that nothing else in a log or a queue can hold by chance.
const VERIFIED: Holder = { documentNumber: '1094726153', surname1: 'QUIÑONES', surname2: 'OQUENDO', givenName1: 'XIOMARA', givenName2: 'ZORAIDA', birthDate: '1988-03-14' }; // prettier-ignore
const IMPOSTOR: Holder = { documentNumber: '1083915264', surname1: 'VILLAMIZAR', surname2: 'WILCHES', givenName1: 'NOHEMÍ', givenName2: 'YULIANA', birthDate: '1991-11-02' }; // prettier-ignore
const ELDERLY: Holder = { documentNumber: '24915387', surname1: 'BOHÓRQUEZ', surname2: 'LLINÁS', givenName1: 'QUINTILIA', givenName2: 'BEATRIZ', birthDate: '1934-05-23' }; // prettier-ignore
const MISPRINTED: Holder = { documentNumber: '1077620934', surname1: 'PEÑALOZA', surname2: 'KLINGER', givenName1: 'FELISA', givenName2: 'GLORIA', birthDate: '1979-08-30' }; // prettier-ignore
const POISONED: Holder = { documentNumber: '1065839127', surname1: 'IBÁÑEZ', surname2: 'XIMENES', givenName1: 'KEVINSON', givenName2: 'JAVIER', birthDate: '1984-12-09' }; // prettier-ignore
const HOLDERS = [VERIFIED, IMPOSTOR, ELDERLY, MISPRINTED, POISONED];

if (!hasFaces) console.warn('skipped: the photos of ../shared/faces are not here');

describe.skipIf(!hasFaces).each(['postgres', 'redis'] as const)('onboarding, queues on %s', (backend) => {
  let redis: TestRedis | undefined;
  let stack: TestStack;
  let queues: QueueWatch;
  let sink: WebhookSink;
  let integrator: Integrator;
  const objectsDir = fs.mkdtempSync(path.join(os.tmpdir(), 'identity-objects-'));
  const test = it.skipIf(backend === 'redis' && !redisInstalled);

  beforeAll(async () => {
    if (backend === 'redis') {
      if (!redisInstalled) return console.warn('skipped: redis-server is not installed');
      redis = await startRedis();
    }
    stack = await startDeployment({
      redisUrl: redis?.url,
      apps: APPS,
      env: { ...NO_LIMITS, LOG_LEVEL: 'trace', STORAGE_DIR: objectsDir },
    });
    queues = await watchQueues(stack, redis);
    sink = await webhookSink();
    integrator = await signUp(stack);
    await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: integrator.tenantId, module: 'identity' } },
      body: { url: sink.url },
    });
    await readyForOnboarding(integrator);
  });
  afterAll(async () => {
    await queues?.close();
    await stack?.close();
    await sink?.close();
    await redis?.kill();
    fs.rmSync(objectsDir, { recursive: true, force: true });
  });

  const balance = async () => (await integrator.platform.GET('/v1/billing/balance')).data;
  const eventOf = async (type: string, onboarding: Onboarding) => {
    const delivery = await sink.waitFor(
      ({ body }) => body.includes(`"${type}"`) && body.includes(onboarding.subjectId),
      20_000,
    );
    return (JSON.parse(delivery.body) as { payload: object }).payload;
  };

  test('verifies a subject by the cédula and a photo of the same person, for 80 credits', async () => {
    const [portrait, selfie] = firstPair({ same: true });
    const before = (await balance())!.available;
    const onboarding = await Onboarding.open(stack, integrator, VERIFIED, 'customer-verified');
    expect(await onboarding.consent()).toMatchObject({ status: 200, body: { current_step: 'document_upload' } });
    expect(await onboarding.document(await cedulaOf(VERIFIED, portrait))).toMatchObject({
      status: 200,
      body: { current_step: 'face_match', last_outcome: 'advance' },
    });
    // Two people on the selfie: try again, at no charge.
    expect(await onboarding.face(photo('couple.jpg'))).toMatchObject({
      status: 422,
      body: { reason: 'two_faces', attempts_left: 2 },
    });
    expect(await balance()).toEqual({ available: before, held: 0 });
    expect(await onboarding.face(selfie)).toMatchObject({ status: 200, body: { current_step: 'sarlaft' } });
    expect(await balance()).toEqual({ available: before - 80, held: 0 });
    expect(await onboarding.advance({})).toMatchObject({
      status: 200,
      body: { status: 'completed', current_step: null },
    });

    expect(await eventOf('subject.verified', onboarding)).toEqual({
      subject_id: onboarding.subjectId,
      external_ref: 'customer-verified',
      kyc_status: 'approved',
      document_type: 'CC',
      document_country: 'CO',
      subject_age_years: ageOn(VERIFIED.birthDate, bogotaDay(new Date())),
      restrictive_list_hits: [],
    });
    const subject = await integrator.platform.GET('/v1/kyc/subjects/{id}', {
      params: { path: { id: onboarding.subjectId } },
    });
    expect(subject.data).toMatchObject({
      kyc_status: 'approved',
      full_name: 'XIOMARA ZORAIDA QUIÑONES OQUENDO',
      birth_date: VERIFIED.birthDate,
    });
    expect(await balance()).toEqual({ available: before - 80, held: 0 });
  });

  test('gives the credits back when a picture takes its process down every time, and the session stays', async () => {
    const [portrait, selfie] = firstPair({ same: true });
    const before = (await balance())!.available;
    const onboarding = await Onboarding.open(stack, integrator, POISONED, 'customer-poisoned');
    await onboarding.consent();
    await onboarding.document(await cedulaOf(POISONED, portrait));
    const killer = killChildrenOf(stack.app('biometrics-worker').pid);
    const answer = await onboarding.face(selfie);
    const killed = killer.stop();
    // The person does not learn what broke; the tenant does.
    expect(answer).toMatchObject({ status: 503, body: { title: 'A service that this needs cannot be reached' } });
    expect(killed).toBeGreaterThanOrEqual(3);
    expect(await balance()).toEqual({ available: before, held: 0 });
    const { data } = await integrator.platform.GET('/v1/flows/sessions/{id}', {
      params: { path: { id: onboarding.id } },
    });
    expect(data).toMatchObject({ status: 'in_progress', current_step: 'face_match', last_outcome: 'retry' });
    expect(await onboarding.face(selfie)).toMatchObject({ status: 200, body: { current_step: 'sarlaft' } });
    expect(await balance()).toEqual({ available: before - 80, held: 0 });
  });

  test('rejects a subject whose selfie shows somebody else, for 80 credits', async () => {
    const [portrait, selfie] = firstPair({ same: false });
    const before = (await balance())!.available;
    const onboarding = await Onboarding.open(stack, integrator, IMPOSTOR, 'customer-impostor');
    await onboarding.consent();
    expect(await onboarding.document(await cedulaOf(IMPOSTOR, portrait))).toMatchObject({ status: 200 });
    const answer = await onboarding.face(selfie);
    expect(answer).toMatchObject({ status: 422, body: { rejection_reason: 'other_person' } });
    expect(answer.body.type).toContain('kyc-rejected');
    expect(await eventOf('subject.rejected', onboarding)).toEqual({
      session_id: onboarding.id,
      subject_id: onboarding.subjectId,
      external_ref: 'customer-impostor',
      reason: 'other_person',
    });
    expect((await onboarding.face(selfie)).status).toBe(409);
    expect(await balance()).toEqual({ available: before - 80, held: 0 });
  });

  test('asks a person about a subject of high risk; the case that compliance opened decides', async () => {
    const [portrait, selfie] = firstPair({ same: true });
    const onboarding = await Onboarding.open(stack, integrator, ELDERLY, 'customer-elderly');
    await onboarding.consent();
    await onboarding.document(await cedulaOf(ELDERLY, portrait));
    await onboarding.face(selfie);
    expect(await onboarding.advance({})).toMatchObject({ status: 200, body: { status: 'manual_review' } });
    expect(await eventOf('flow.session.manual_review', onboarding)).toMatchObject({ session_id: onboarding.id });

    const { data: open } = await integrator.compliance.GET('/v1/cases', { params: { query: { status: 'open' } } });
    const { error } = await integrator.compliance.POST('/v1/cases/{id}/resolve', {
      params: { path: { id: open!.data[0]!.id } },
      body: { decision: 'approve', reason: 'Llamada a la clienta.', discriminating_data: ['birth_date'] },
    });
    expect(error).toBeUndefined();
    expect(await eventOf('subject.verified', onboarding)).toMatchObject({ external_ref: 'customer-elderly' });
  });

  test('asks a person when the printed name is not the barcode’s, and takes the decision given here', async () => {
    const [portrait, selfie] = firstPair({ same: true });
    const onboarding = await Onboarding.open(stack, integrator, MISPRINTED, 'customer-misprinted');
    await onboarding.consent();
    const printedAs = { ...MISPRINTED, surname1: 'HERRERA' };
    expect(await onboarding.document(await cedulaOf(MISPRINTED, portrait, printedAs))).toMatchObject({
      status: 200,
      body: { current_step: 'face_match' },
    });
    await onboarding.face(selfie);
    expect(await onboarding.advance({})).toMatchObject({ status: 200, body: { status: 'manual_review' } });
    const { data: reviewed } = await integrator.platform.POST('/v1/flows/sessions/{id}/review', {
      params: { path: { id: onboarding.id }, header: { 'X-Actor': 'ana.oficial' } },
      body: { decision: 'reject', reason: 'El nombre impreso es otro.' },
    });
    expect(reviewed).toMatchObject({ status: 'failed', rejection_reason: 'manual_review' });
    expect(await eventOf('subject.rejected', onboarding)).toMatchObject({ external_ref: 'customer-misprinted' });
  });

  test('lets nothing of names, numbers, birth dates and pictures into a log or a queue', async () => {
    const traffic = await queues.seen();
    // What the watch must have seen if it sees anything: a run's hint and a sealed screening.
    expect(traffic).toContain('run_id');
    expect(traffic).toContain('sealed');
    const logs = stack.logs();
    for (const name of APPS) expect(stack.app(name).log.length, name).toBeGreaterThan(100);

    const personal = HOLDERS.flatMap((holder) => Object.values(holder));
    const plain = personal.map((word) => word.normalize('NFD').replace(/\p{M}/gu, ''));
    // How a JPEG begins, in base64, in hexadecimal and as a list of bytes.
    const pictures = ['/9j/', 'ffd8ffe', 'ffd8ffdb', '255,216,255'];
    const canaries = [...new Set([...personal, ...plain, ...pictures])];
    const within = (text: string) => canaries.filter((canary) => text.toUpperCase().includes(canary.toUpperCase()));
    expect({ logs: within(logs), queues: within(traffic) }).toEqual({ logs: [], queues: [] });
    // Where a word begins: sealed payloads are base64url, which may have these four characters anywhere else.
    const sessionToken = /(?<![\w-])fst_/;
    for (const text of [logs, traffic]) {
      expect(text).not.toContain(integrator.apiKey);
      expect(text).not.toMatch(sessionToken);
    }
  });

  test('erases a subject: the receipt says so and no object is left', async () => {
    const stored = () => fs.readdirSync(objectsDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()); // prettier-ignore
    const kept = stored().length;
    expect(kept).toBeGreaterThan(0);
    const { data: subjects } = await integrator.platform.GET('/v1/kyc/subjects');
    for (const { subject_id } of subjects!.data) {
      const { data: receipt } = await integrator.platform.DELETE('/v1/kyc/subjects/{id}', {
        params: { path: { id: subject_id } },
      });
      expect(receipt).toMatchObject({ subject_id, legal_hold: false });
    }
    await eventually(() => expect(stored()).toEqual([]), 20_000);
    const [left] = await inStore<{ keys: number }>(
      stack,
      'select count(wrapped_key)::int + count(sealed)::int as keys from identity.subject',
    );
    expect(left).toEqual({ keys: 0 });
  });

  test('leaves every invariant whole', async () => {
    expect(await brokenInvariants(stack)).toEqual([]);
    expect(await balance()).toMatchObject({ held: 0 });
  });
});
