import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { typeId } from '@constancia/kernel';
import { PdfPool, seal, signatureRoom } from '@constancia/pdf-sealing';
import type { INestApplicationContext } from '@nestjs/common';
import { eventually, type TestDatabase, testDatabase, testTenant } from '@constancia/testing';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testKey, testSealer } from '../../libs/pdf-sealing/src/pades/prepared-seal.fixture.ts';
import { greyPng } from '../../libs/pdf-sealing/src/png.fixture.ts';
import {
  pdfsig,
  pixelsOf,
  qpdfCheck,
  readers,
  textOf,
  validSignatures,
  wordsOf,
} from '../../libs/pdf-sealing/src/poppler.fixture.ts';
import { findCanaries } from '@constancia/testing/canary-scan';
import {
  runningWorker,
  type WorkerServices,
  workerServices,
} from '../../apps/sealing-worker/src/running-sealing-worker.fixture.ts';
import { fillInAsSender, sealAtRest } from './sealed-at-rest.fixture.ts';
import {
  CONSENT_SHA256,
  envelopeOf,
  type OwnedField,
  SHOWN_SHA256,
  signedEnvelopes,
  type StoredEnvelope,
} from '../../apps/sealing-worker/src/signed-envelopes.fixture.ts';

const tools = readers.qpdf && readers.poppler && spawnSync('openssl', ['version']).error === undefined;
if (!tools) console.warn('sealed envelopes are not read back: qpdf, poppler-utils or openssl missing');

/** What a viewer shows of each page: 400 by 300 points. */
const WIDTH = 400;
const field = (key: string, signer: string, type: OwnedField['type'], page: number, at: [number, number, number, number]) => {
  const [x, y, width, height] = at;
  return { key, signer, type, page, x, y, width, height };
}; // prettier-ignore
const FIELDS: (OwnedField & { visible_if?: object })[] = [
  field('amount', 'sender', 'text', 2, [20, 100, 180, 18]),
  {
    ...field('buyer.hidden', 'buyer', 'signature', 2, [220, 40, 160, 48]),
    visible_if: { field: 'seller.agreed', equals: false },
  },
  field('seller.sign', 'seller', 'signature', 1, [20, 200, 160, 48]),
  field('seller.initials', 'seller', 'initials', 2, [300, 20, 60, 32]),
  { ...field('seller.agreed', 'seller', 'checkbox', 1, [300, 220, 14, 14]), label: 'Recibí copia del contrato' },
  field('buyer.sign', 'buyer', 'signature', 2, [20, 200, 160, 48]),
  field('buyer.name', 'buyer', 'name', 2, [20, 150, 180, 18]),
  field('buyer.date', 'buyer', 'date', 2, [220, 150, 90, 18]),
  field('buyer.note', 'buyer', 'text', 1, [20, 40, 180, 60]),
];
/** A black bar over the whole of it. */
const DRAWN = greyPng([], { width: 30, height: 10, data: deflateSync(Buffer.concat(Array.from({ length: 10 }, () => Buffer.from([0, ...Array.from({ length: 30 }, () => [0, 255]).flat()])))) }); // prettier-ignore
const GIVEN = {
  seller: { text: 'Ana Güiza', name: 'Ana Güiza Ñáñez', values: { 'seller.initials': 'AG', 'seller.agreed': true } },
  buyer: {
    image: DRAWN,
    name: 'Łukasz Київ',
    values: { 'buyer.name': 'Łukasz Київ', 'buyer.date': '2026-11-21', 'buyer.note': 'Con la reserva que consta en el anexo' },
  },
}; // prettier-ignore

/** Two pages of which a viewer shows 400 by 300 points, the first turned by a quarter. */
async function contract(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const [turned, plain] = [document.addPage([700, 900]), document.addPage([700, 900])];
  turned.setCropBox(100, 150, 300, 400);
  turned.node.set(...rotation(document, 90));
  plain.setCropBox(50, 60, 400, 300);
  return Buffer.from(await document.save());
}

function rotation(document: PDFDocument, degrees: number) {
  const dictionary = document.context.obj({ Rotate: degrees });
  return dictionary.entries()[0] as Parameters<typeof dictionary.set>;
}

/** The contract with a signature that somebody gave it before. */
async function signedBefore(pdf: Buffer): Promise<Buffer> {
  const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
  const sealer = await testSealer(testKey());
  const options = { fieldName: 'Notary', signatureBytes: signatureRoom(sealer, false), certify: false };
  const signed = await seal(await pool.assemble(pdf, { drawings: [] }, options), sealer);
  await pool.close();
  return signed;
}

/** Whether openssl takes the detached signature for one over the bytes. */
function verified(pdf: Buffer, signature: Buffer, publicKeyPem: string): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sealed-'));
  const file = (name: string, bytes: Buffer | string) => {
    fs.writeFileSync(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  const args = ['-verify', file('key.pem', publicKeyPem), '-signature', file('a.bin', signature), file('a.pdf', pdf)];
  const { status } = spawnSync('openssl', ['dgst', '-sha256', ...args]);
  fs.rmSync(folder, { recursive: true });
  return status === 0;
}

describe.skipIf(!tools)('the document of a sealed envelope', { timeout: 60_000 }, () => {
  let store: TestDatabase;
  let around: WorkerServices;
  let worker: INestApplicationContext;
  let base: Buffer;
  let pdf: Buffer;
  let envelope: StoredEnvelope;

  beforeAll(async () => {
    [store, around] = await Promise.all([testDatabase(), workerServices()]);
    const tenant = await testTenant(store);
    base = await signedBefore(await contract());
    const options = { roles: ['seller', 'buyer'], pdf: base, fields: FIELDS, given: GIVEN };
    const [id] = (await signedEnvelopes(store, around, tenant, options)) as [string];
    await sealAtRest(store, around);
    await fillInAsSender(store, around, tenant, { envelopeId: id, values: { amount: 'Canario417' } });
    const words = [
      'Canario417',
      'Ana Güiza Ñáñez',
      'Con la reserva que consta',
      'Contrato de Ñáñez',
      'seller@people.example',
    ];
    expect(await findCanaries((sql, params) => store.query(sql, params), words)).toEqual([]);
    worker = await runningWorker(store, around);
    envelope = await eventually(async () => {
      const row = await envelopeOf(store, id);
      expect(row.status).toBe('sealed');
      return row;
    }, 30_000);
    pdf = await around.objects.get(envelope.document_key as string);
  }, 60_000);
  afterAll(async () => {
    await worker.close();
    await Promise.all([store.drop(), around.close()]);
  });

  it('is drawn of what was sealed at rest, and nothing that its signers gave is left of it', async () => {
    const left = await store.query(
      `select sealed_person is null as clear, sealed_values, sealed_mark, field_values from signing.envelope_signer
        where envelope_id = $1`,
      [envelope.id],
    );
    const none = { clear: false, sealed_values: null, sealed_mark: null, field_values: {} };
    expect(left).toEqual([none, none]);
    const [sent] = await store.query('select sealed_values from signing.envelope where id = $1', [envelope.id]);
    expect(sent).toEqual({ sealed_values: null });
  });

  it('continues the one that was sent: its earlier signature stays valid beside the seal', () => {
    expect(pdf.subarray(0, base.length).equals(base)).toBe(true);
    expect(qpdfCheck(pdf)).toMatchObject({ code: 0 });
    expect(validSignatures(pdf)).toBe(2);
    expect(pdfsig(pdf)).toContain('Total document signed');
    const revisions = (file: Buffer) => file.toString('latin1').split('%%EOF').length;
    expect(revisions(pdf)).toBe(revisions(base) + 1);
  });

  it('is proved by the detached signature over its bytes, with openssl alone', async () => {
    const [key] = await store.query<{ public_key_pem: string }>(
      'select public_key_pem from signing.signing_key where key_arn = $1',
      [envelope.kms_key_arn],
    );
    const signature = envelope.signature as Buffer;
    expect(verified(pdf, signature, key?.public_key_pem as string)).toBe(true);
    expect(verified(Buffer.concat([pdf, Buffer.from(' ')]), signature, key?.public_key_pem as string)).toBe(false);
  });

  it('shows every field at its place, on a page that is turned and on cropped ones', () => {
    const [turned, plain] = [wordsOf(pdf, true).words, wordsOf(pdf).words];
    const places: [string, string][] = [['Güiza', 'seller.sign'], ['reserva', 'buyer.note'], ['AG', 'seller.initials'], ['Київ', 'buyer.name'], ['nov', 'buyer.date'], ['Canario417', 'amount']]; // prettier-ignore
    for (const [text, key] of places) {
      const { page, x, y, width, height } = FIELDS.find((each) => each.key === key) as OwnedField;
      const inside = (page === 1 ? turned : plain).filter(
        (word) =>
          word.page === page && word.text === text && word.left >= x - 1 && word.right <= x + width + 1 &&
          word.bottom >= y - 3 && word.top <= y + height + 3,
      ); // prettier-ignore
      expect([key, inside.length > 0]).toEqual([key, true]);
    }
    const dark = (page: number) => {
      const { pixels } = pixelsOf(pdf, page);
      return (x: number, y: number) => (pixels[(300 - y) * WIDTH + x] as number) < 128;
    };
    const [first, second] = [dark(1), dark(2)];
    // The tick: its foot, its long arm, nothing at the upper left. The drawn bar, 102 by 34, in the middle above its caption.
    expect([first(305, 223), first(309, 228), first(302, 232)]).toEqual([true, true, false]);
    expect([second(52, 230), second(148, 230), second(100, 217), second(100, 246)]).toEqual([true, true, true, true]);
    expect([second(252, 71), second(300, 71)]).toEqual([false, false]); // where the hidden signature would be
    expect([second(46, 230), second(155, 230), second(100, 251)]).toEqual([false, false, false]);
    expect(textOf(pdf).split('\f')[0]).toMatch(/Firmado electrónicamente · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC-5/);
  });

  it('ends with the whole certificate of completion', async () => {
    const pages = textOf(pdf).split('\f');
    const certificate = pages.slice(2).join('\f');
    const tenants = await store.query<{ display_name: string }>('select display_name from platform.tenant');
    const key = await store.query<{ fingerprint: string }>(
      `select encode(fingerprint, 'hex') as fingerprint from signing.signing_key`,
    );
    for (const expected of [
      'Certificado de finalización', 'Contrato de Ñáñez', tenants[0]?.display_name, typeId('env', envelope.id), '1 página',
      `https://sign.example/verify/${envelope.public_id}`, '1. Ana Güiza Ñáñez', '2. Łukasz Київ', 'seller@people.example',
      'buyer@people.example', 'Rol: Buyer', '203.0.113.7 · Chrome 141, Android', 'Texto 2026-11 (es-CO)',
      'Código enviado al correo: correcto tras 1 error', 'Firma escrita', 'Firma dibujada', CONSENT_SHA256.toString('hex'),
      SHOWN_SHA256.toString('hex'), `Evento ${envelope.trail_seq}, el de la última firma`, envelope.trail_hash,
      `https://sign.example/keys/${key[0]?.fingerprint}.pem`,
    ]) expect(certificate).toContain(expected); // prettier-ignore
    expect(certificate).toContain(createHash('sha256').update(base).digest('hex'));
    expect(certificate).toMatch(/Casilla marcada\s+Recibí copia del contrato\n/);
    expect(certificate).not.toMatch(/undefined|null|NaN|Invalid/);
    expect(wordsOf(pdf).pages.at(-1)).toEqual({ width: 612, height: 792 });
  });
});
