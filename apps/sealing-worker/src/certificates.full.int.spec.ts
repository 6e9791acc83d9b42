import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PdfPool, seal, signatureRoom } from '@constancia/pdf-sealing';
import { Metrics } from '@constancia/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testKey, testSealer } from '../../../libs/pdf-sealing/src/pades/prepared-seal.fixture.ts';
import {
  localTimestampAuthority,
  type LocalTimestampAuthority,
} from '../../../libs/pdf-sealing/src/pades/timestamp-authority.fixture.ts';
import {
  acceptedRequests,
  blankPdf,
  requestOf,
  runningWorker,
  storedTemplate,
  type WorkerServices,
  workerServices,
} from './running-sealing-worker.fixture.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;
const pdfsigThere = spawnSync('pdfsig', ['-v']).error === undefined;

let store: TestDatabase;
let around: WorkerServices;
let pool: PdfPool;
let folder: string;
const workers: INestApplicationContext[] = [];

beforeAll(async () => {
  store = await testDatabase();
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
});
beforeEach(async () => {
  around = await workerServices(); // a key of its own
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'certificates-'));
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await around.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await Promise.all([store.drop(), pool.close()]);
});

async function worker(changes: Parameters<typeof runningWorker>[2] = {}): Promise<INestApplicationContext> {
  const started = await runningWorker(store, around, changes);
  workers.push(started);
  return started;
}

async function accepted(count = 1, pdf?: Buffer): Promise<string[]> {
  const tenant = await testTenant(store, { credits: 1000 });
  return acceptedRequests(store, tenant, await storedTemplate(store, around, tenant, { pdf }), { count });
}

async function sealed(id: string): Promise<Buffer> {
  const request = await eventually(async () => {
    const found = await requestOf(store, id);
    expect(found.status).toBe('signed');
    return found;
  }, 20_000);
  return around.objects.get(request.document_key as string);
}

/** A page that somebody signed without certifying it: it may be signed again. */
async function signedPdf(): Promise<Buffer> {
  const signer = await testSealer(testKey());
  const options = { fieldName: 'Notary', signatureBytes: signatureRoom(signer, false), certify: false };
  return seal(await pool.assemble(await blankPdf(), { drawings: [] }, options), signer);
}

async function publishedCertificate(): Promise<Buffer> {
  const [row] = await store.query<{ certificate_der: Buffer }>(
    `select certificate_der from signing.signing_key where status = 'active'`,
  );
  return row?.certificate_der as Buffer;
}

function pdfsig(pdf: Buffer): string {
  fs.writeFileSync(path.join(folder, 'a.pdf'), pdf);
  return spawnSync('pdfsig', ['-nocert', 'a.pdf'], { cwd: folder, encoding: 'utf8' }).stdout;
}

describe('the certificate of a key', () => {
  it('is issued by the key itself, once, however many workers begin at once', async () => {
    const ids = await accepted(12);
    await Promise.all([worker({ processes: 1 }), worker({ processes: 1 }), worker({ processes: 1 })]);
    const documents = await Promise.all(ids.map(sealed));

    const published = new X509Certificate(await publishedCertificate());
    expect(published.verify(published.publicKey)).toBe(true);
    expect(published.subject).toBe('C=CO\nO=Constancia\nCN=Constancia');
    for (const pdf of documents) {
      expect(await pool.verify(pdf)).toEqual([expect.objectContaining({ valid: true, level: 'B-B' })]);
      expect(pdf.includes(Buffer.from(published.raw.toString('hex')))).toBe(true);
    }
  }, 30_000);

  it('outlives the worker that made it', async () => {
    const [first] = (await accepted()) as [string];
    await worker();
    await sealed(first);
    const certificate = await publishedCertificate();
    await Promise.all(workers.splice(0).map((one) => one.close()));
    const [second] = (await accepted()) as [string];
    await worker();
    expect((await sealed(second)).includes(Buffer.from(certificate.toString('hex')))).toBe(true);
    expect((await publishedCertificate()).equals(certificate)).toBe(true);
  });
});

describe.skipIf(!opensslThere)("an authority's certificate", () => {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });

  /** An authority that certifies a public key, and the chain as a file. */
  function chainFor(publicKeyPem: string): string {
    fs.writeFileSync(path.join(folder, 'key.pem'), publicKeyPem);
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=An authority'); // prettier-ignore
    openssl('req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'x.key', '-subj', '/C=CO/O=Banco/CN=Sello del banco', '-out', 'x.csr'); // prettier-ignore
    openssl('x509', '-req', '-in', 'x.csr', '-force_pubkey', 'key.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30', '-out', 'seal.pem'); // prettier-ignore
    const file = path.join(folder, 'chain.pem');
    fs.writeFileSync(
      file,
      Buffer.concat(['seal.pem', 'ca.pem'].map((name) => fs.readFileSync(path.join(folder, name)))),
    );
    return file;
  }

  async function kmsPublicKey(): Promise<string> {
    const [id] = (await accepted()) as [string];
    const first = await runningWorker(store, around);
    await sealed(id);
    await first.close();
    return new X509Certificate(await publishedCertificate()).publicKey
      .export({ type: 'spki', format: 'pem' })
      .toString();
  }

  it('is what documents are signed under, with its chain', async () => {
    const certificateChainFile = chainFor(await kmsPublicKey());
    const [id] = (await accepted()) as [string];
    await worker({ certificateChainFile });
    const pdf = await sealed(id);
    expect(await pool.verify(pdf)).toEqual([
      expect.objectContaining({ valid: true, signer: 'CN=Sello del banco, O=Banco, C=CO' }),
    ]);
    const authority = new X509Certificate(fs.readFileSync(path.join(folder, 'ca.pem')));
    expect(pdf.includes(Buffer.from(authority.raw.toString('hex')))).toBe(true);
  }, 30_000);

  it('of another key keeps the worker from starting, and says why', async () => {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'o.key',
      '-out',
      'other.pem',
      '-subj',
      '/CN=Other',
    );
    await expect(
      runningWorker(store, around, { certificateChainFile: path.join(folder, 'other.pem') }),
    ).rejects.toThrow(/the certificate in SIGNING_CERTIFICATE_CHAIN_PEM is not of the key that signs/);
    fs.writeFileSync(path.join(folder, 'empty.pem'), '');
    await expect(
      runningWorker(store, around, { certificateChainFile: path.join(folder, 'empty.pem') }),
    ).rejects.toThrow(/SIGNING_CERTIFICATE_CHAIN_PEM is not usable: The chain has no certificate/);
    await expect(runningWorker(store, around, { certificateChainFile: path.join(folder, 'none.pem') })).rejects.toThrow(
      /The file cannot be read \(ENOENT\)/,
    );
  });
});

describe.skipIf(!opensslThere)('a time-stamping authority', () => {
  let authority: LocalTimestampAuthority;
  beforeAll(async () => {
    authority = await localTimestampAuthority();
  }, 30_000);
  afterAll(() => authority.close());

  it('makes signatures B-T, and is waited for while it is unavailable', async () => {
    authority.answer({ status: 503 });
    const [id] = (await accepted()) as [string];
    const metrics = (await worker({ tsaUrl: authority.url })).get(Metrics);
    await eventually(async () => expect((await requestOf(store, id)).attempts).toBeGreaterThanOrEqual(2), 20_000);
    expect((await requestOf(store, id)).status).toBe('pending');
    expect(await metrics.text()).toMatch(/seals_deferred_total\{.*cause="timestamps".*\} [1-9]/);

    authority.answer(undefined);
    const pdf = await sealed(id);
    expect(await pool.verify(pdf)).toEqual([expect.objectContaining({ valid: true, level: 'B-T' })]);
    if (pdfsigThere) expect(pdfsig(pdf)).toContain('Signature is Valid.');
  }, 40_000);
});

describe('a time-stamping authority that nobody listens at', () => {
  it('is given up in the end: the request fails, refunded, and no document without a time-stamp is made', async () => {
    const [id] = (await accepted()) as [string];
    await worker({ tsaUrl: 'http://127.0.0.1:9/', giveUpSeconds: 2 });
    const request = await eventually(async () => {
      const found = await requestOf(store, id);
      expect(found.status).not.toBe('pending');
      return found;
    }, 25_000);
    expect(request).toMatchObject({ failure_code: 'signing_unavailable', credits_refunded: 40, document_key: null });
  }, 40_000);
});

describe.skipIf(!pdfsigThere)('a template that was signed before', () => {
  it('keeps its signature, and has ours over the whole document', async () => {
    const [request] = (await accepted(1, await signedPdf())) as [string];
    await worker();
    const pdf = await sealed(request);
    const report = pdfsig(pdf);
    expect(report.match(/Signature is Valid\./g)).toHaveLength(2);
    expect(report.match(/ETSI\.CAdES\.detached/g)).toHaveLength(2);
    expect(report.match(/Not total document signed/g)).toHaveLength(1);
    expect(report.match(/Total document signed/g)).toHaveLength(1);

    const flipped = Buffer.from(pdf);
    flipped[12] = 0x58;
    expect(pdfsig(flipped).match(/Digest Mismatch/g)).toHaveLength(2);
  }, 30_000);
});
