import type { DocumentStepInput } from '@constancia/contracts';
import { sealedObjectKey } from '@constancia/storage';
import { type TestDatabase, testDatabase, testTenant } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawnCedula, type DrawnDocument } from '../../../libs/document-reading/src/rendered/variants.fixture.ts';
import {
  ended,
  hints,
  notingLogger,
  queuedRun,
  resultOf,
  runningWorker,
  type StoredSubject,
  storedPicture,
  storedSubject,
  type WorkerServices,
  workerServices,
} from './running-biometrics-worker.fixture.ts';

let store: TestDatabase;
let around: WorkerServices;
let worker: INestApplicationContext;
let cedula: DrawnDocument;
const { logger, lines } = notingLogger();

beforeAll(async () => {
  [store, around, cedula] = await Promise.all([testDatabase(), workerServices(), drawnCedula(3)]);
  worker = await runningWorker(store, around, { logger });
}, 120_000);
afterAll(async () => {
  await worker?.close();
  await Promise.all([store.drop(), around.close()]);
});

async function subjectOf(documentNumber = cedula.expected.documentNumber as string): Promise<StoredSubject> {
  return storedSubject(store, around, await testTenant(store), documentNumber);
}

async function documentRun(subject: StoredSubject, changes: Partial<DocumentStepInput> = {}): Promise<string> {
  const { front, back } = cedula.images as { front: Uint8Array; back: Uint8Array };
  const input: DocumentStepInput = {
    v: 1,
    doc_front: await storedPicture(store, around, subject, 'doc_front', front),
    doc_back: await storedPicture(store, around, subject, 'doc_back', back),
    document_type: 'CC',
    document_country: 'CO',
    ...changes,
  };
  return queuedRun(store, subject, { type: 'document', input });
}

describe('a document run', { timeout: 60_000 }, () => {
  it('reads the cédula, returns what it read under the subject’s key, and by which engine', async () => {
    const subject = await subjectOf();
    const queues = hints(store);
    const id = await documentRun(subject);
    queues.hint('step-run', { v: 1, run_id: id }, id);
    const run = await ended(store, id);
    await queues.close();

    expect(run).toMatchObject({ engine: 'constancia-documents', lease_token: null, claims: 1 });
    expect(['pass', 'review']).toContain(run.outcome);
    const result = resultOf(subject, run);
    expect(result).toMatchObject({
      v: 1,
      kind: 'cc_yellow',
      fields: {
        document_number: { value: cedula.truth.document_number, source: 'pdf417', trusted: true },
        surnames: { value: cedula.truth.surnames },
        birth_date: { value: cedula.truth.birth_date },
      },
    });
    expect(JSON.stringify(run.result_sealed?.toString('latin1'))).not.toContain(cedula.truth.document_number);
  });

  it('is found by the sweep when its hint is lost', async () => {
    const run = await ended(store, await documentRun(await subjectOf()));
    expect(['pass', 'review']).toContain(run.outcome);
  });

  it('asks for another try when the session was opened with another number', async () => {
    const run = await ended(store, await documentRun(await subjectOf('52123456')));
    expect(run).toMatchObject({ outcome: 'retry', reason: 'document_mismatch' });
  });

  it('asks for another try when a picture is none', async () => {
    const subject = await subjectOf();
    const doc_front = await storedPicture(store, around, subject, 'doc_front', Buffer.from('no picture at all'));
    const run = await ended(store, await documentRun(subject, { doc_front, doc_back: null }));
    expect(run).toMatchObject({ outcome: 'retry', reason: 'not_an_image' });
  });

  it('ends as an error, at once, when the subject was erased meanwhile', async () => {
    const subject = await subjectOf();
    const id = await documentRun(subject);
    await store.query(
      'update identity.subject set wrapped_key = null, sealed = null, erased_at = now() where id = $1',
      [subject.id],
    );
    expect(await ended(store, id)).toMatchObject({ outcome: 'error', reason: 'subject_erased', result_sealed: null });
  });

  it('ends as an error when a picture is another subject’s, or its bytes are gone', async () => {
    const [subject, other] = [await subjectOf(), await subjectOf()];
    const doc_front = await storedPicture(store, around, other, 'doc_front', cedula.images.front);
    expect(await ended(store, await documentRun(subject, { doc_front }))).toMatchObject({
      outcome: 'error',
      reason: 'picture_missing',
    });

    const gone = await storedPicture(store, around, subject, 'doc_front', cedula.images.front);
    const name = { tenantId: subject.tenantId, subjectId: subject.id, assetId: gone, version: 1 };
    await around.objects.delete(sealedObjectKey(name));
    expect(await ended(store, await documentRun(subject, { doc_front: gone }))).toMatchObject({
      outcome: 'error',
      reason: 'picture_missing',
    });
  });

  it('leaves no document number, name or birth date in the log', () => {
    const log = lines.join('');
    expect(log).toContain('a step was worked on');
    expect(log).not.toContain('dropped');
    const { document_number, surnames, given_names, birth_date } = cedula.truth;
    const canaries = [document_number, birth_date, ...`${surnames} ${given_names}`.split(' ')];
    for (const canary of canaries) expect(log).not.toContain(canary);
  });
});
