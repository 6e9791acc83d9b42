import { randomBytes } from 'node:crypto';
import {
  recoveryPictureRecord,
  type RecoveryCheckInput,
  walletFaceRecord,
  walletKeyContext,
  walletRecordContext,
} from '@constancia/contracts';
import type { FaceComparison } from '@constancia/face-matching';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { eventually, type TestDatabase, testDatabase } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasFaces, photo } from '../../../libs/face-matching/src/shared-faces.fixture.ts';
import type { EngineJob } from './engines/engine-job.ts';
import type { EnginePool } from './engines/engine-pool.ts';
import {
  notingLogger,
  runningWorker,
  type WorkerServices,
  workerServices,
} from './running-biometrics-worker.fixture.ts';

// img1 and img2 show one person, img8 another.

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
  await Promise.all([store?.drop(), around?.close()]);
});

/** As the platform keeps it. */
const kept = new Map<string, Promise<Buffer>>();
const small = (name: string): Promise<Buffer> => {
  const made = kept.get(name) ?? sharp(photo(name)).rotate().resize({ width: 1_024, height: 1_024, fit: 'inside' }).jpeg({ quality: 92 }).toBuffer(); // prettier-ignore
  kept.set(name, made);
  return made;
};

interface Recovery {
  state: string;
  reason: string | null;
  checks: number;
  claims: number;
  check_input: object | null;
}

/** A recovery of a wallet that keeps `face`, whose face is to be compared with `selfie`; the recovery once it was. */
async function checked(face: string, selfie: string, frames: string[]): Promise<Recovery> {
  const [walletId, verificationId, id] = [uuidv7(), uuidv7(), uuidv7()];
  const { plaintext, wrapped } = await around.keys.generate(walletKeyContext(walletId));
  const seal = (record: string, bytes: Buffer) => new SecretBox([plaintext]).seal(bytes, walletRecordContext(walletId, record)); // prettier-ignore
  await store.query(
    `insert into identity.wallet (wallet_id, document_index, contact_index, wrapped_key, sealed, locale) values ($1, $2, $3, $4, $5, 'en')`,
    [walletId, randomBytes(32), randomBytes(32), wrapped, Buffer.alloc(1)],
  );
  await store.query(
    `insert into identity.wallet_verification (id, wallet_id, level, sealed, verified_at) values ($1, $2, 'document_face', '', now())`,
    [verificationId, walletId],
  );
  await store.query('insert into identity.wallet_face (wallet_id, verification_id, sealed) values ($1, $2, $3)', [
    ...[walletId, verificationId, seal(walletFaceRecord(verificationId), await small(face))],
  ]);
  await store.query(
    `insert into identity.wallet_recovery (id, contact_index, wallet_id, state, checks, expires_at)
     values ($1, $2, $3, 'contact_verified', 1, now() + interval '30 minutes')`,
    [id, randomBytes(32), walletId],
  );
  const stored: string[] = [];
  for (const name of [selfie, ...frames]) {
    const picture = uuidv7();
    await store.query(
      'insert into identity.wallet_recovery_picture (id, recovery_id, wallet_id, sealed) values ($1, $2, $3, $4)',
      [picture, id, walletId, seal(recoveryPictureRecord(picture), await small(name))],
    );
    stored.push(picture);
  }
  const at = (second: number) => new Date(Date.now() - 30_000 + second * 1_000).toISOString();
  const input: RecoveryCheckInput = {
    v: 1,
    selfie: stored[0] as string,
    frames: stored.slice(1).map((picture, nth) => ({ picture, received_at: at(4 + nth * 4) })),
    poses: ['center', 'left', 'right', 'left', 'center'].slice(0, frames.length),
    issued_at: at(0),
    expires_at: at(60),
  };
  await store.query(
    `update identity.wallet_recovery set check_input = $2, check_deadline = now() + interval '2 minutes' where id = $1`,
    [id, JSON.stringify(input)],
  );
  return eventually(async () => {
    const [row] = await store.query<Recovery>('select * from identity.wallet_recovery where id = $1', [id]);
    if (row === undefined || row.check_input !== null) throw new Error('not compared yet');
    expect(await store.query('select 1 from identity.wallet_recovery_picture where recovery_id = $1', [id])).toEqual(
      [],
    );
    return row;
  }, 90_000);
}

describe.skipIf(!hasFaces)('a check of a recovery over the photos of ../shared/faces', { timeout: 120_000 }, () => {
  it('rejects the face of another, and logs nothing of it', async () => {
    const ended = await checked('img1.jpg', 'img8.jpg', ['img8.jpg', 'img8.jpg', 'img8.jpg']);
    expect(ended).toMatchObject({ state: 'rejected', reason: 'other_person' });
    expect(lines.some((line) => line.includes('a recovery was checked'))).toBe(true);
    expect(lines.join('\n')).not.toMatch(/score|raw_metric|descriptor/);
  });

  it('does not pass the right face without its turns: it is to be tried again', async () => {
    const ended = await checked('img1.jpg', 'img2.jpg', ['img2.jpg', 'img2.jpg', 'img2.jpg']);
    expect(ended).toMatchObject({ state: 'contact_verified', checks: 1 });
    expect(['same_picture_twice', 'pose_not_taken']).toContain(ended.reason);
  });

  it('gives the engines the kept face, the selfie and the turns in their order, and passes on what they say', async () => {
    await worker.close();
    const asked: { job: EngineJob; pictures: readonly Uint8Array[] }[] = [];
    const comparison: FaceComparison = {
      outcome: 'pass',
      reasons: [],
      score: 1,
      rawMetric: 0,
      reference: null,
      probe: null,
      thresholds: { accept: 1, review: 1 },
      engine: 'engine',
      modelVersion: '1',
      tookMs: 1,
    };
    const engines: EnginePool = {
      concurrency: 1,
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      work: (job, pictures) => {
        asked.push({ job, pictures });
        return Promise.resolve({ job: 'face', comparison, liveness: null });
      },
    };
    worker = await runningWorker(store, around, { engines });
    const ended = await checked('img1.jpg', 'img2.jpg', ['img8.jpg', 'img1.jpg']);
    expect(ended).toMatchObject({ state: 'biometric_verified', reason: null });
    const [{ job, pictures } = { job: null, pictures: [] }] = asked;
    expect(job).toMatchObject({ job: 'face', challenge: { mode: 'active', poses: ['center', 'left'] } });
    const expected = await Promise.all(['img1.jpg', 'img2.jpg', 'img8.jpg', 'img1.jpg'].map(small));
    expect(pictures.map((picture, nth) => expected[nth]?.equals(picture))).toEqual([true, true, true, true]);
  });
});
