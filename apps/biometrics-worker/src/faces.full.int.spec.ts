import type { FaceStepInput, PassivePolicy } from '@constancia/contracts';
import { type TestDatabase, testDatabase, testTenant } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEyes } from '../../../libs/face-matching/src/open-engines.fixture.ts';
import { capture } from '../../../libs/face-matching/src/passive/captures.fixture.ts';
import { subjectOf } from '../../../libs/face-matching/src/passive/measured-captures.fixture.ts';
import { hasFaces, photo } from '../../../libs/face-matching/src/shared-faces.fixture.ts';
import {
  ended,
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

// img1 and img2 show one person, img8 another, couple two.

let store: TestDatabase;
let around: WorkerServices;
let worker: INestApplicationContext;
const { logger, lines } = notingLogger();

beforeAll(async () => {
  [store, around] = await Promise.all([testDatabase(), workerServices()]);
  worker = await runningWorker(store, around, { logger });
}, 60_000);
afterAll(async () => {
  await worker?.close();
  await Promise.all([store.drop(), around.close()]);
});

async function faceRun(reference: string, selfie: string, changes: Partial<FaceStepInput> = {}) {
  const subject = await storedSubject(store, around, await testTenant(store));
  const input: FaceStepInput = {
    v: 1,
    reference: await storedPicture(store, around, subject, 'doc_front', photo(reference)),
    selfie: await storedPicture(store, around, subject, 'selfie', photo(selfie)),
    liveness_mode: 'basic',
    thresholds: null,
    challenge: null,
    ...changes,
  };
  const run = await ended(store, await queuedRun(store, subject, { type: 'face', input }));
  return { run, result: () => resultOf(subject, run) };
}

async function frames(subject: StoredSubject, names: string[]) {
  const stored = [];
  for (const name of names) {
    const asset = await storedPicture(store, around, subject, 'liveness_frame', photo(name));
    stored.push({ asset, received_at: new Date(Date.now() - 20_000 + 4_000 * stored.length).toISOString() });
  }
  return stored;
}

describe.skipIf(!hasFaces)('a face run over the photos of ../shared/faces', { timeout: 120_000 }, () => {
  it('passes the same person, and keeps score, measure and model, but no template', async () => {
    const { run, result } = await faceRun('img1.jpg', 'img2.jpg');
    expect(run).toMatchObject({ outcome: 'pass', reason: null, engine: 'constancia-faces', claims: 1 });
    const found = result();
    expect(found).toMatchObject({ v: 1, liveness: { mode: 'basic', passed: null }, reasons: [] });
    expect(found.score).toBeGreaterThan(0.85);
    expect(Object.keys(found).sort()).toEqual(
      ['liveness', 'raw_metric', 'reasons', 'score', 'thresholds', 'took_ms', 'v'].sort(),
    );
    expect(JSON.stringify(found).length).toBeLessThan(1_000);
  });

  it('rejects another person', async () => {
    const { run } = await faceRun('img1.jpg', 'img8.jpg');
    expect(run).toMatchObject({ outcome: 'reject', reason: 'other_person' });
  });

  it("rejects a copy of the document's portrait, and says so", async () => {
    const { run, result } = await faceRun('img11.jpg', 'img11_reflection.jpg');
    expect(run).toMatchObject({ outcome: 'reject', reason: 'portrait_copy' });
    const { liveness } = result() as { liveness: { portrait_copy: number; evidence: string[] } };
    expect(liveness.portrait_copy).toBeGreaterThan(0.9);
    expect(liveness.evidence).toEqual(['selfie']);
  });

  it('looks at the frames beside the selfie as the flow says, and keeps what they showed', async () => {
    const drawn = await capture(
      await subjectOf(await openEyes(), 'img2.jpg'),
      'photo on a screen, its border in view',
      5,
    );
    const face = async (passive_liveness: PassivePolicy, shown: Buffer[]) => {
      const subject = await storedSubject(store, around, await testTenant(store));
      const picture = (kind: 'doc_front' | 'selfie' | 'liveness_frame', bytes: Buffer) => storedPicture(store, around, subject, kind, bytes); // prettier-ignore
      const received_at = new Date().toISOString();
      const frames = [];
      for (const frame of shown) frames.push({ asset: await picture('liveness_frame', frame), received_at });
      const input: FaceStepInput = {
        v: 1,
        reference: await picture('doc_front', photo('img1.jpg')),
        selfie: await picture('selfie', photo('img2.jpg')),
        liveness_mode: 'basic',
        thresholds: null,
        challenge: null,
        passive: { id: 'lch_test', issued_at: received_at, expires_at: received_at, frames },
        passive_liveness,
      };
      const run = await ended(store, await queuedRun(store, subject, { type: 'face', input }));
      return { run, liveness: resultOf(subject, run).liveness };
    };
    const suspected = await face('signal', drawn.frames);
    expect(suspected.run).toMatchObject({ outcome: 'review', reason: 'spoof_suspected' });
    expect(suspected.liveness).toMatchObject({ evidence: ['selfie', 'frames'], passive: { decision: 'suspected', frames: 5 } }); // prettier-ignore
    const off = await face('off', drawn.frames);
    expect(off.run).toMatchObject({ outcome: 'pass' });
    expect(off.liveness).toMatchObject({ evidence: ['selfie'], passive: null });
    const missing = await face('require', []);
    expect(missing.run).toMatchObject({ outcome: 'review', reason: 'liveness_undetermined' });
  });

  it('goes by the thresholds of the flow', async () => {
    const { run } = await faceRun('img1.jpg', 'img2.jpg', { thresholds: { accept: 1, review: 0.5 } });
    expect(run).toMatchObject({ outcome: 'review', reason: 'doubtful_likeness' });
  });

  it('asks for another selfie when two people are on it', async () => {
    const { run } = await faceRun('img1.jpg', 'couple.jpg');
    expect(run).toMatchObject({ outcome: 'retry', reason: 'two_faces' });
  });

  it('does not pass an active challenge that was answered with one picture again and again', async () => {
    const subject = await storedSubject(store, around, await testTenant(store));
    const shown = await frames(subject, ['img2.jpg', 'img2.jpg', 'img2.jpg', 'img2.jpg']);
    const input: FaceStepInput = {
      v: 1,
      reference: await storedPicture(store, around, subject, 'doc_front', photo('img1.jpg')),
      selfie: await storedPicture(store, around, subject, 'selfie', photo('img2.jpg')),
      liveness_mode: 'active',
      thresholds: null,
      challenge: {
        id: 'lch_test',
        poses: ['center', 'left', 'right', 'left'],
        issued_at: new Date(Date.now() - 30_000).toISOString(),
        expires_at: new Date(Date.now() + 30_000).toISOString(),
        frames: shown,
      },
    };
    const run = await ended(store, await queuedRun(store, subject, { type: 'face', input }));
    expect(['retry', 'reject']).toContain(run.outcome);
    expect(resultOf(subject, run)).toMatchObject({ liveness: { mode: 'active' } });
    expect((resultOf(subject, run).liveness as { passed: boolean | null }).passed).not.toBe(true);
  });

  it('logs how runs ended and nothing of the pictures', () => {
    const log = lines.join('');
    expect(log).toContain('"result":"pass"');
    expect(log).not.toContain('dropped');
    expect(log).not.toMatch(/base64|score|raw_metric/);
  });
});
