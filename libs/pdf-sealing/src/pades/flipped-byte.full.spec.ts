import { constants, createHash, privateEncrypt, publicDecrypt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool, seal, signatureRoom } from '../index.ts';
import type { Sealer } from '../index.ts';
import { compressedPdf, hybridPdf, pagesPdf } from '../made-pdf.fixture.ts';
import { embeddedSignatures } from './embedded-signatures.ts';
import { testKey, type TestKey, testSealer } from './prepared-seal.fixture.ts';

let pool: PdfPool;
let key: TestKey;
let sealer: Sealer;
beforeAll(async () => {
  pool = new PdfPool({ processes: 1, memoryMb: 384, deadlineMs: 8_000 });
  key = testKey();
  const issuer = await testSealer(testKey(), 'CN=Autoridad de prueba');
  sealer = { ...(await testSealer(key)), chainDer: [issuer.certificateDer] };
});
afterAll(() => pool.close());

const SHA256_DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const digestInfo = (pdf: Buffer) => Buffer.concat([SHA256_DIGEST_INFO, createHash('sha256').update(pdf).digest()]);

/** The signature beside the document, and whether it holds over other bytes. */
const detached = (pdf: Buffer) => privateEncrypt(key.privateKey, digestInfo(pdf));
const holdsBeside = (signature: Buffer, pdf: Buffer) =>
  publicDecrypt({ key: key.publicKeyPem, padding: constants.RSA_PKCS1_PADDING }, signature).equals(digestInfo(pdf));
const holdsInside = (pdf: Buffer) => embeddedSignatures(pdf).some(({ valid }) => valid);

const random = (most: number) => Math.floor(Math.random() * most);

/** Where the file says how it is to be read: keywords, numbers of objects, offsets, lengths, what a signature covers. */
const STRUCTURE =
  /%PDF-\d\.\d|\d+ \d+ obj|endobj|stream|endstream|xref\n[\d nf\n]+|trailer|startxref\n\d+|%%EOF|\/(?:ByteRange|Contents|Length|Size|Prev|Root|ID|W|Index|Kids|Count|Fields|SubFilter|V|Type)\b[^/<]{0,48}/g;

function structuralPositions(pdf: Buffer): number[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(STRUCTURE)].flatMap(({ index, 0: token }) => [...token].map((_, nth) => index + nth));
}

/** Of the signature itself: all of its frame, some digits of the rest, and some of the zeros behind. */
function signaturePositions(pdf: Buffer): number[] {
  const start = pdf.indexOf('/Contents <') + 11;
  const digits = 2 * (4 + Number.parseInt(pdf.toString('latin1', start + 4, start + 8), 16));
  const frame = Array.from({ length: 140 }, (_, nth) => start + nth);
  const content = Array.from({ length: digits / 32 }, (_, nth) => start + nth * 32 + random(32));
  const zeros = Array.from({ length: 20 }, (_, nth) => start + digits + nth);
  return [start - 1, pdf.indexOf('>', start), ...frame, ...content, ...zeros];
}

const templates: [string, () => Buffer][] = [
  ['a cross-reference table', () => pagesPdf().stream(20, 'q Q').bytes()],
  ['a cross-reference stream', () => compressedPdf()],
  ['a hybrid of both', () => hybridPdf()],
];

describe('one flipped bit makes both signatures fail', () => {
  it.each(templates)('in a document with %s', { timeout: 180_000 }, async (_, template) => {
    const prepared = await pool.assemble(
      template(),
      {
        drawings: [{ kind: 'text', key: 'a', page: 1, x: 20, y: 20, size: 10, text: 'Ñandú' }],
        pages: [{ width: 200, height: 200, drawings: [] }],
      },
      { fieldName: 'Seal', signatureBytes: signatureRoom(sealer, false), signedAt: '2026-11-21T15:00:00.000Z' },
    );
    const pdf = await seal(prepared, sealer);
    const beside = detached(pdf);
    expect([holdsInside(pdf), holdsBeside(beside, pdf)]).toEqual([true, true]);
    const anywhere = Array.from({ length: 100 }, () => random(pdf.length));
    const structure = structuralPositions(pdf);
    const some = Array.from({ length: 250 }, () => structure[random(structure.length)] as number);
    for (const at of new Set([...some, ...signaturePositions(pdf), ...anywhere])) {
      const bit = random(8);
      pdf[at] = (pdf[at] as number) ^ (1 << bit);
      expect([at, bit, holdsInside(pdf), holdsBeside(beside, pdf)]).toEqual([at, bit, false, false]);
      pdf[at] = (pdf[at] as number) ^ (1 << bit);
    }
    expect(holdsInside(pdf)).toBe(true);
  });

  it('and so do bytes put in, taken out or exchanged', { timeout: 60_000 }, async () => {
    const options = { fieldName: 'Seal', signatureBytes: signatureRoom(sealer, false) };
    const pdf = await seal(await pool.assemble(pagesPdf().bytes(), { drawings: [] }, options), sealer);
    const beside = detached(pdf);
    const change = fc.record({ at: fc.nat(pdf.length), out: fc.nat(3), put: fc.uint8Array({ maxLength: 3 }) });
    fc.assert(
      fc.property(change, ({ at, out, put }) => {
        const changed = Buffer.concat([pdf.subarray(0, at), put, pdf.subarray(at + out)]);
        fc.pre(!changed.equals(pdf));
        expect([holdsInside(changed), holdsBeside(beside, changed)]).toEqual([false, false]);
      }),
      { numRuns: 300 },
    );
  });
});
