import { spawnSync } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { SigningKms } from '@constancia/kms';
import { PdfPool } from '@constancia/pdf-sealing';
import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  publicKeyInfrastructure,
  type PublicKeyInfrastructure,
} from '../../../../libs/pdf-sealing/src/evidence/public-key-infrastructure.fixture.ts';
import {
  localTimestampAuthority,
  type LocalTimestampAuthority,
} from '../../../../libs/pdf-sealing/src/pades/timestamp-authority.fixture.ts';
import {
  acceptedRequests,
  requestOf,
  runningWorker,
  type StoredRequest,
  storedTemplate,
  type WorkerServices,
  workerServices,
} from '../running-sealing-worker.fixture.ts';
import { envelopeOf, signedEnvelopes } from '../signed-envelopes.fixture.ts';
import { EvidenceWorker } from './evidence-worker.ts';

interface Evidence {
  level: string | null;
  due_at: Date;
  attempts: number;
  last_setback: string | null;
}

interface Revision {
  number: number;
  level: string;
  document_sha256: Buffer;
  document_key: string;
  signature: Buffer;
}

const opensslThere = spawnSync('openssl', ['version']).error === undefined;
const DAY_MS = 86_400_000;

describe.skipIf(!opensslThere)('the evidence of a sealed document', () => {
  let store: TestDatabase;
  let around: WorkerServices;
  let pki: PublicKeyInfrastructure;
  let authority: LocalTimestampAuthority;
  let worker: INestApplicationContext;
  let pool: PdfPool;
  let publicKeyPem: string;

  const authorityCertificate = (name: string, days: number) => ({
    ...pki.issue({ name, profile: 'authority', days }),
    chainFile: pki.intermediateFile,
  });

  beforeAll(async () => {
    store = await testDatabase();
    around = await workerServices();
    pki = await publicKeyInfrastructure();
    pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
    authority = await localTimestampAuthority(authorityCertificate('early', 100));
    const kms = new SigningKms({ region: 'us-east-1', endpoint: around.kms.url });
    const { spkiDer, pem } = await kms.publicKey(around.kms.keyId);
    kms.close();
    publicKeyPem = pem;
    const certificateChainFile = path.join(pki.folder, 'chain.pem');
    fs.writeFileSync(certificateChainFile, pki.issue({ name: 'signer', profile: 'signer', days: 20, spkiDer }).pem);
    worker = await runningWorker(store, around, { tsaUrl: authority.url, certificateChainFile });
  }, 60_000);
  beforeEach(() => pki.answer({ ocsp: true, crl: true }));
  afterAll(async () => {
    await worker?.close();
    await Promise.all([authority.close(), pki.close(), pool.close(), around.close()]);
    await store.drop();
  });

  async function sealed(): Promise<StoredRequest> {
    const tenant = await testTenant(store, { credits: 100 });
    const [id] = (await acceptedRequests(store, tenant, await storedTemplate(store, around, tenant))) as [string];
    return eventually(async () => {
      const found = await requestOf(store, id);
      expect(found.status).toBe('signed');
      return found;
    }, 20_000);
  }

  async function evidenceOf({ id }: StoredRequest): Promise<Evidence> {
    const [row] = await store.query<Evidence>('select * from signing.document_evidence where document_id = $1', [id]);
    return row as Evidence;
  }

  const revisionsOf = ({ id }: { id: string }) =>
    store.query<Revision>('select * from signing.document_revision where document_id = $1 order by number', [id]);

  /** Lets the time come at which it is due, and waits for the end of the run. */
  async function run(request: { id: string }): Promise<Evidence> {
    await store.query('update signing.document_evidence set due_at = now(), retry_at = now() where document_id = $1', [
      request.id,
    ]);
    await worker.get(EvidenceWorker).wake();
    return eventually(async () => {
      const [row] = await store.query<Evidence>(
        'select * from signing.document_evidence where document_id = $1 and lease_token is null and retry_at > now()',
        [request.id],
      );
      expect(row).toBeDefined();
      return row as Evidence;
    }, 20_000);
  }

  it('waits an hour, survives that nothing can be fetched, and is renewed by another certificate before the first ends', async () => {
    const request = await sealed();
    const first = await evidenceOf(request);
    expect(first).toMatchObject({ level: null, attempts: 0 });
    expect(first.due_at.getTime() - Date.now()).toBeGreaterThan(3_500_000);
    const original = await around.objects.get(request.document_key as string);

    pki.answer({ ocsp: false, crl: false });
    expect(await run(request)).toMatchObject({ level: null, attempts: 1, last_setback: 'evidence' });
    authority.answer({ status: 503 });
    pki.answer({ ocsp: true, crl: true });
    expect(await run(request)).toMatchObject({ level: null, attempts: 2, last_setback: 'timestamps' });
    authority.answer(undefined);
    expect(await revisionsOf(request)).toEqual([]);

    const extended = await run(request);
    expect(extended).toMatchObject({ level: 'B-LTA', attempts: 0, last_setback: null });
    expect(Math.round((extended.due_at.getTime() - Date.now()) / DAY_MS)).toBe(100 - 30);
    const [revision] = (await revisionsOf(request)) as [Revision];
    const bytes = await around.objects.get(revision.document_key);
    expect(createHash('sha256').update(bytes).digest().equals(revision.document_sha256)).toBe(true);
    expect(bytes.subarray(0, original.length).equals(original)).toBe(true);
    expect(verify('RSA-SHA256', bytes, publicKeyPem, revision.signature)).toBe(true);
    expect(await pool.verify(bytes)).toMatchObject([
      { kind: 'timestamp', valid: true },
      { kind: 'signature', holdsOver: original.length, certified: true },
    ]);

    expect(await run(request)).toMatchObject({ level: 'B-LTA', last_setback: 'evidence' }); // the same certificate
    authority.certify(authorityCertificate('late', 3_000));
    const renewed = await run(request);
    expect(Math.round((renewed.due_at.getTime() - Date.now()) / DAY_MS)).toBe(3_000 - 30);
    const [, second] = (await revisionsOf(request)) as [Revision, Revision];
    const longer = await around.objects.get(second.document_key);
    expect(second).toMatchObject({ number: 2, level: 'B-LTA' });
    expect(longer.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(await requestOf(store, request.id)).toMatchObject({ document_sha256: request.document_sha256 });
  }, 60_000);

  it('is extended for envelopes as well; each revision is found by its hash, and a document that failed is dropped', async () => {
    const tenant = await testTenant(store, { credits: 100 });
    const [id] = (await signedEnvelopes(store, around, tenant, { roles: ['buyer'] })) as [string];
    const envelope = await eventually(async () => {
      const found = await envelopeOf(store, id);
      expect(found.status).toBe('sealed');
      return found;
    }, 20_000);
    expect(await run({ id })).toMatchObject({ level: 'B-LTA', last_setback: null });
    const [revision] = (await revisionsOf({ id })) as [Revision];
    expect(
      await store.query('select kind, status, public_id from signing.find_document_revision($1)', [
        revision.document_sha256,
      ]),
    ).toEqual([{ kind: 'envelope', status: 'sealed', public_id: envelope.public_id }]);

    const failed = await sealed();
    await store.query(`update signing.signature_request set status = 'failed', failure_code = 'x', failure_reason = 'x' where id = $1`, [failed.id]); // prettier-ignore
    await store.query('update signing.document_evidence set retry_at = now() where document_id = $1', [failed.id]);
    await worker.get(EvidenceWorker).wake();
    expect(await evidenceOf(failed)).toBeUndefined();
  }, 60_000);

  it('is extended once, however many workers claim it, and not under a lease that was lost', async () => {
    const request = await sealed();
    await store.query('update signing.document_evidence set retry_at = now() where document_id = $1', [request.id]);
    const claims = await Promise.all(
      Array.from({ length: 4 }, () =>
        store.query<{ id: string; lease_token: string }>('select * from signing.claim_evidence(10, 60)'),
      ),
    );
    const [claimed, another] = claims.flat().filter(({ id }) => id === request.id);
    expect(another).toBeUndefined();
    const complete = (token: string) =>
      store.query<{ ours: boolean }>(
        `select signing.complete_evidence('signature', $1, $2, 'B-LT', sha256('x'), 'k', 1, 'arn', '\\x00', 'a', null) as ours`,
        [request.id, token],
      );
    const token = claimed?.lease_token as string;
    await store.query('update signing.document_evidence set retry_at = now() where document_id = $1', [request.id]);
    const [again] = await store.query<{ lease_token: string }>('select * from signing.claim_evidence(10, 60)');
    expect(await complete(token)).toEqual([{ ours: false }]);
    expect(await complete(again?.lease_token as string)).toEqual([{ ours: true }]);
    expect(await revisionsOf(request)).toHaveLength(1);
  }, 30_000);

  it('is still added to documents that were sealed before it was turned off, and to no later ones', async () => {
    const request = await sealed();
    await worker.close();
    await store.query('update signing.document_evidence set retry_at = now() where document_id = $1', [request.id]);
    const certificateChainFile = path.join(pki.folder, 'chain.pem');
    worker = await runningWorker(store, around, { tsaUrl: authority.url, certificateChainFile, evidenceLevel: 'B-T' });
    await eventually(async () => expect(await revisionsOf(request)).toHaveLength(1), 20_000);
    expect(await evidenceOf(await sealed())).toBeUndefined();
  }, 60_000);
});
