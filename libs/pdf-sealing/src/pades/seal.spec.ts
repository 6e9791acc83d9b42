import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { pdfsig } from '../poppler.fixture.ts';
import { embeddedSignatures } from './embedded-signatures.ts';
import { preparedSeal, testKey, type TestKey, testSealer } from './prepared-seal.fixture.ts';
import { type Sealer, seal, signatureRoom } from './seal.ts';

const pdfsigThere = spawnSync('pdfsig', ['-v']).error === undefined;
const opensslThere = spawnSync('openssl', ['version']).error === undefined;

let key: TestKey;
let sealer: Sealer;

beforeAll(async () => {
  key = testKey();
  sealer = await testSealer(key);
});

const sealed = () => seal(preparedSeal(signatureRoom(sealer, false)), sealer);

function inFolder<T>(work: (folder: string) => T): T {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pades-'));
  try {
    return work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The CMS in the hole. */
function cmsOf(pdf: Buffer): Buffer {
  const hex = /\/Contents <([0-9a-f]+)>/.exec(pdf.toString('latin1'))?.[1] as string;
  const bytes = Buffer.from(hex, 'hex');
  return bytes.subarray(0, 4 + bytes.readUInt16BE(2));
}

const flipped = (pdf: Buffer, at: number) => {
  const copy = Buffer.from(pdf);
  copy[at] = (copy[at] as number) ^ 1;
  return copy;
};

describe('a sealed document', () => {
  it('verifies, at level B-B, under the name in the certificate', async () => {
    const pdf = await sealed();
    expect(embeddedSignatures(pdf)).toEqual([
      {
        kind: 'signature',
        valid: true,
        holdsOver: pdf.length,
        level: 'B-B',
        certified: false,
        signer: 'CN=Sello de prueba, O=Constancia, C=CO',
        keyFingerprint: key.fingerprint,
      },
    ]);
  });

  it.skipIf(!pdfsigThere)('is valid to pdfsig, as ETSI.CAdES.detached, over the whole document', async () => {
    const pdf = await sealed();
    const report = pdfsig(pdf);
    expect(report).toContain('Signature is Valid.');
    expect(report).toContain('Signature Type: ETSI.CAdES.detached');
    expect(report).toContain('Total document signed');
    expect(report).toContain('Sello de prueba');
    expect(pdfsig(flipped(pdf, 20))).toContain('Digest Mismatch');
  });

  it.skipIf(!opensslThere)(
    'has a CMS that openssl verifies over the byte range, with three signed attributes',
    async () => {
      const prepared = preparedSeal(signatureRoom(sealer, false));
      const pdf = await seal(prepared, sealer);
      const [, open, close] = prepared.byteRange;
      inFolder((folder) => {
        fs.writeFileSync(path.join(folder, 'cms.der'), cmsOf(pdf));
        fs.writeFileSync(path.join(folder, 'content'), Buffer.concat([pdf.subarray(0, open), pdf.subarray(close)]));
        fs.writeFileSync(path.join(folder, 'ca.der'), sealer.certificateDer);
        const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }).toString();
        openssl('x509', '-inform', 'DER', '-in', 'ca.der', '-out', 'ca.pem');
        openssl(
          ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'cms.der', '-content', 'content'],
          ...['-CAfile', 'ca.pem', '-purpose', 'any', '-out', os.devNull],
        );
        const printed = openssl('cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', 'cms.der');
        const attributes = printed.slice(
          printed.indexOf('signedAttrs:'),
          printed.indexOf('signatureAlgorithm:', printed.indexOf('signedAttrs:')),
        );
        expect([...attributes.matchAll(/object: (\S+)/g)].map(([, name]) => name)).toEqual([
          'contentType',
          'messageDigest',
          'id-smime-aa-signingCertificateV2',
        ]);
        const text = openssl('x509', '-in', 'ca.pem', '-noout', '-text');
        expect(text).toMatch(/Key Usage: critical\s+Digital Signature, Non Repudiation/);
        expect(text).toMatch(/CA:FALSE/);
        expect(text).toMatch(/Subject: C = CO, O = Constancia, CN = Sello de prueba/);
      });
    },
  );

  it('does not verify with any one byte changed outside the signature', async () => {
    const pdf = await sealed();
    const start = pdf.indexOf('/Contents <') + 11;
    const end = pdf.indexOf('>', start);
    for (let at = 0; at < pdf.length; at++) {
      if (at >= start && at < end) continue;
      if (at % 5 > 0 && at < start - 120) continue; // all around the signature, a fifth of what is before it
      const found = embeddedSignatures(flipped(pdf, at));
      expect(
        found.some(({ valid }) => valid),
        `byte ${at}`,
      ).toBe(false);
    }
  }, 30_000);

  it('does not verify when something was added to it, before or after', async () => {
    const pdf = await sealed();
    for (const changed of [Buffer.concat([pdf, Buffer.from('\n')]), Buffer.concat([Buffer.from('\n'), pdf])])
      expect(embeddedSignatures(changed)).toEqual([expect.objectContaining({ valid: false })]);
  });
});

/** Digits in a hole that a byte range names, at the start of a file. */
function withHole(hex: string): string {
  const head = '/ByteRange [0 00000064 '.padEnd(23);
  const range = `${head}${String(64 + hex.length + 2).padStart(10, '0')} 0]`.padEnd(64);
  return `${range}<${hex}>`;
}

function nested(depth: number): string {
  let der = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) {
    const length = Buffer.from([0x83, der.length >> 16, (der.length >> 8) & 255, der.length & 255]);
    der = Buffer.concat([Buffer.of(0x31), length, der]);
  }
  return der.toString('hex');
}

describe('bytes from strangers', () => {
  it('end in signatures that do not hold, and never in an error', async () => {
    const pdf = await sealed();
    const start = pdf.indexOf('/Contents <') + 11;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2 * cmsOf(pdf).length), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const changed = Buffer.from(pdf);
          for (const [at, byte] of changes) changed[start + at] = byte;
          for (const { valid, keyFingerprint } of embeddedSignatures(changed))
            if (valid) expect(keyFingerprint).toBe(key.fingerprint);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['nothing', ''],
    ['a range that is no range', '/ByteRange [0 1'],
    ['a range beyond the file', '/ByteRange [0 10 20 999999999]'],
    ['a range that runs backwards', '/ByteRange [0 30 20 5]<00>'],
    ['many of them', '/ByteRange [0 1 2 3]'.repeat(100_000)],
    ['a hole of deep nesting', withHole('3080'.repeat(50_000))],
    ['a hole of many small values', withHole(`308301fff0${'0500'.repeat(65_000)}`)],
    ['a hole of sets within sets', withHole(nested(3_000))],
    ['many holes', Array.from({ length: 40 }, () => withHole('3080'.repeat(20_000))).join('')],
  ])('%s end in nothing that holds, in a bounded time', (_, text) => {
    const startedAt = performance.now();
    for (const { valid } of embeddedSignatures(Buffer.from(text))) expect(valid).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('the room for a signature', () => {
  it('is enough for every certificate, chain and key', async () => {
    const keys = [testKey(2048), testKey(3072), testKey(4096)];
    const words = fc
      .string({ minLength: 1, maxLength: 60, unit: fc.constantFrom(...'abcñéß漢, \\') })
      .filter((text) => text.trim().length > 0);
    await fc.assert(
      fc.asyncProperty(fc.nat(2), words, words, fc.nat(4), async (nth, name, organisation, issuers) => {
        const own = keys[nth] as TestKey;
        const escaped = (text: string) => text.trim().replace(/[,\\]/g, '\\$&');
        const one = await testSealer(own, `CN=${escaped(name)}, O=${escaped(organisation)}, C=CO`);
        const made = { ...one, chainDer: Array.from({ length: issuers }, () => one.certificateDer) };
        const pdf = await seal(preparedSeal(signatureRoom(made, false)), made);
        const [found] = embeddedSignatures(pdf);
        expect(found).toMatchObject({ valid: true, keyFingerprint: own.fingerprint });
      }),
      { numRuns: 30 },
    );
  }, 30_000);

  it('that is too small is reported, and nothing is written', async () => {
    const prepared = preparedSeal(200);
    const before = Buffer.from(prepared.bytes);
    await expect(seal(prepared, sealer)).rejects.toThrow(/has room for 200/);
    expect(prepared.bytes.equals(before)).toBe(true);
  });
});
