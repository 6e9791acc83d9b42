import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { certificateChain } from '../pades/certificate-chain.ts';
import { embeddedSignatures } from '../pades/embedded-signatures.ts';
import { testKey } from '../pades/prepared-seal.fixture.ts';
import { type Sealer, seal, signatureRoom } from '../pades/seal.ts';
import { localTimestampAuthority, type LocalTimestampAuthority } from '../pades/timestamp-authority.fixture.ts';
import { pdfsig, qpdfCheck, readers } from '../poppler.fixture.ts';
import { collectEvidence } from './collect-evidence.ts';
import { lastSignature } from './last-signature.ts';
import { extended, fetchEvidence, preparedRevision, signaturesIn, timestampBy } from './long-term.fixture.ts';
import { publicKeyInfrastructure, type PublicKeyInfrastructure } from './public-key-infrastructure.fixture.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;
const DAY_SECONDS = 86_400;

describe.skipIf(!opensslThere)('long-term evidence', () => {
  let pki: PublicKeyInfrastructure;
  let early: LocalTimestampAuthority;
  let late: LocalTimestampAuthority;
  let sealer: Sealer;
  let signerFile: string;
  let sealed: Buffer;

  beforeAll(async () => {
    pki = await publicKeyInfrastructure();
    const key = testKey();
    const signer = pki.issue({ name: 'signer', profile: 'signer', days: 20, spkiDer: key.spkiDer });
    signerFile = signer.certificateFile;
    const authority = (name: string, days: number) =>
      localTimestampAuthority({
        ...pki.issue({ name, profile: 'authority', days }),
        chainFile: pki.intermediateFile,
      });
    early = await authority('early', 30);
    late = await authority('late', 3_000);
    sealer = { ...certificateChain(signer.pem), sign: key.sign, timestamp: timestampBy(early) };
    const document = await PDFDocument.create();
    document.addPage([595, 842]);
    const room = { fieldName: 'seal', signatureBytes: signatureRoom(sealer, true), signedAt: new Date().toISOString() };
    sealed = await seal(await preparedRevision(Buffer.from(await document.save()), room), sealer);
  }, 60_000);
  beforeEach(() => pki.answer({ ocsp: true, crl: true }));
  afterAll(async () => {
    await Promise.all([early.close(), late.close()]);
    await pki.close();
  });

  const collected = () => {
    const last = lastSignature(sealed);
    if (!last) throw new Error('no signature');
    return collectEvidence(last.leaves, last.certificates, { fetch: fetchEvidence });
  };

  it('has OCSP responses where there are any, else revocation lists, of the signer and of the authority', async () => {
    const byOcsp = await collected();
    expect(byOcsp.ocspResponses).toHaveLength(2); // signer and authority; the intermediate has only a list
    expect(byOcsp.crls).toHaveLength(1);
    expect(byOcsp.certificates).toHaveLength(5); // signer, authority, intermediate, root, responder
    pki.answer({ ocsp: false, crl: true });
    const byList = await collected();
    expect(byList.ocspResponses).toEqual([]);
    expect(byList.crls.length).toBeGreaterThanOrEqual(2);
    pki.answer({ ocsp: false, crl: false });
    await expect(collected()).rejects.toThrow(/no usable revocation status of .*signer.*503/);
  });

  it('is not made of statements about others, by others, or out of date, nor of a revoked certificate', async () => {
    const last = lastSignature(sealed) as NonNullable<ReturnType<typeof lastSignature>>;
    const collect = (fetch: typeof fetchEvidence, now?: Date) =>
      collectEvidence(last.leaves, last.certificates, { fetch, now });
    const kept = new Map<string, Buffer>();
    await collect(async (url, post) => {
      const answer = await fetchEvidence(url, post);
      kept.set(`${url} ${kept.size}`, answer);
      return answer;
    });
    const [first, second] = [...kept.entries()].filter(([name]) => name.includes('/ocsp')).map(([, answer]) => answer);
    const only = (answer: Buffer) => (url: string) =>
      url.endsWith('/ocsp') ? Promise.resolve(answer) : Promise.reject(new Error('away'));
    await expect(collect(only(second as Buffer))).rejects.toThrow('about another certificate');
    const spoilt = Buffer.from(first as Buffer);
    spoilt[spoilt.length >> 1] = (spoilt[spoilt.length >> 1] as number) ^ 1;
    await expect(collect(only(spoilt))).rejects.toThrow('no usable revocation status');
    await expect(collect(only(first as Buffer), new Date(Date.now() + 9 * DAY_SECONDS * 1_000))).rejects.toThrow(
      'out of date',
    );
    // The certificate of the responder begins a day ago: before that nobody was its delegate.
    await expect(collect(only(first as Buffer), new Date(Date.now() - 2 * DAY_SECONDS * 1_000))).rejects.toThrow(
      'not signed by the issuer or its delegate',
    );
    const revoked = pki.issue({ name: 'revoked', profile: 'signer', days: 20 });
    pki.revoke(revoked.certificateFile);
    const { certificateDer, chainDer } = certificateChain(revoked.pem);
    await expect(collectEvidence([certificateDer], chainDer, { fetch: fetchEvidence })).rejects.toThrow(
      /calls the certificate revoked; the revocation list names the certificate/,
    );
  });

  it('follows the sealed bytes, which stay as they are, at level B-LTA', async () => {
    const once = await extended(sealed, early);
    expect(once.subarray(0, sealed.length).equals(sealed)).toBe(true);
    expect(embeddedSignatures(once)).toMatchObject([
      { kind: 'timestamp', valid: true, holdsOver: once.length },
      { kind: 'signature', valid: false, holdsOver: sealed.length, level: 'B-T' },
    ]);
    const spoilt = Buffer.from(once);
    spoilt[sealed.length + 40] = (spoilt[sealed.length + 40] as number) ^ 1;
    expect(embeddedSignatures(spoilt)[0]).toMatchObject({ kind: 'timestamp', valid: false, holdsOver: null });
    if (readers.qpdf) expect(qpdfCheck(once)).toMatchObject({ code: 0 });
  });

  it.skipIf(!readers.poppler)(
    'still validates when the signer and the first authority have expired, to openssl, pdfsig and qpdf',
    async () => {
      const once = await extended(sealed, early);
      const renewed = await extended(once, late);
      expect(renewed.subarray(0, once.length).equals(once)).toBe(true);
      if (readers.qpdf) expect(qpdfCheck(renewed)).toMatchObject({ code: 0 });
      const report = pdfsig(renewed);
      expect(report).toContain('Signature is Valid'); // of the seal: pdfsig does not judge document time-stamps
      expect(report).not.toMatch(/Digest Mismatch|Signature is Invalid/);
      const [signature, first, second] = signaturesIn(renewed, pki.folder) as [Files, Files, Files];
      const now = Math.floor(Date.now() / 1_000);
      const afterAll = now + 365 * DAY_SECONDS;
      // By itself the signature is over: that is what the evidence is for.
      expect(() => verifySignature(signature, afterAll)).toThrow(/expired/);
      expect(() => verifyTimestamp(first, afterAll)).toThrow(/expired/);
      // The newest time-stamp holds at that time; what it covers is judged as of when it was made, with the evidence under it.
      verifyTimestamp(second, afterAll);
      verifyTimestamp(first, now);
      verifySignature(signature, now);
      const responses = dssOf(renewed);
      expect(responses).toHaveLength(3); // signer and early authority; with the renewal the early authority again
      const trusted = path.join(pki.folder, 'trusted.pem');
      fs.writeFileSync(trusted, fs.readFileSync(pki.rootFile, 'utf8') + fs.readFileSync(pki.intermediateFile, 'utf8'));
      const answers = responses.map((file) =>
      openssl(
        ...['ocsp', '-respin', file, '-issuer', pki.intermediateFile, '-CAfile', trusted],
        ...['-no_nonce', '-cert', signerFile],
      ),
    ); // prettier-ignore
      expect(answers.every(({ stderr }) => stderr.includes('Response verify OK'))).toBe(true);
      expect(answers.filter(({ stdout }) => stdout.includes(': good'))).toHaveLength(1);
    },
    60_000,
  );

  interface Files {
    content: string;
    cms: string;
  }

  function verifySignature({ content, cms }: Files, at: number): void {
    verify(
      ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', cms, '-content', content, '-CAfile', pki.rootFile],
      ...['-purpose', 'any', '-attime', `${at}`, '-out', '/dev/null'],
    ); // prettier-ignore
  }

  function verifyTimestamp({ content, cms }: Files, at: number): void {
    verify(
      ...['ts', '-verify', '-token_in', '-in', cms, '-data', content, '-CAfile', pki.rootFile],
      ...['-untrusted', pki.intermediateFile, '-attime', `${at}`],
    ); // prettier-ignore
  }

  const openssl = (...args: string[]) => spawnSync('openssl', args, { encoding: 'utf8' });

  function verify(...args: string[]): void {
    const { status, stderr } = openssl(...args);
    if (status !== 0) throw new Error(stderr);
  }

  /** The streams of the document security store that are OCSP responses, as files. */
  function dssOf(pdf: Buffer): string[] {
    const text = pdf.toString('latin1');
    const store = [...text.matchAll(/\/Type \/DSS .*?\/OCSPs \[([\d R]+)\]/g)].at(-1)?.[1] ?? '';
    return [...store.matchAll(/(\d+) 0 R/g)].map(([, number]) => {
      const [, length = ''] = new RegExp(`\\n${number} 0 obj\\n<< /Length (\\d+) >>\\nstream\\n`).exec(text) ?? [];
      const at = text.indexOf('stream\n', text.indexOf(`\n${number} 0 obj\n`)) + 7;
      const name = path.join(pki.folder, `${number}.ocsp`);
      fs.writeFileSync(name, pdf.subarray(at, at + Number(length)));
      return name;
    });
  }
});
