import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { appendEvidence } from '../append/append-evidence.ts';
import { appendRevision } from '../append/append-revision.ts';
import { compileTemplate } from '../append/compile-template.ts';
import type { PreparedSeal, SealOptions } from '../append/revision.ts';
import { timestampDocument } from '../pades/seal.ts';
import { timestampRequest, timestampToken } from '../pades/timestamp.ts';
import type { LocalTimestampAuthority } from '../pades/timestamp-authority.fixture.ts';
import { collectEvidence, type FetchEvidence } from './collect-evidence.ts';
import { lastSignature } from './last-signature.ts';

/** A document with a hole for a signature or a time-stamp, as a child of PdfPool prepares it. */
export async function preparedRevision(pdf: Buffer, seal: SealOptions): Promise<PreparedSeal> {
  const template = await compileTemplate(pdf);
  const { delta, hole } = await appendRevision(template, { onPages: new Map(), appended: [] }, seal);
  if (!hole) throw new Error('no hole');
  return { bytes: Buffer.concat([pdf, delta]), ...hole };
}

export const fetchEvidence: FetchEvidence = async (url, post) => {
  const response = await fetch(url, post && { method: 'POST', body: new Uint8Array(post.body), headers: { 'content-type': post.type } }); // prettier-ignore
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

export const timestampBy = (authority: LocalTimestampAuthority) => async (digest: Buffer) => {
  const request = timestampRequest(digest);
  return timestampToken(await authority.reply(request.der), digest, request);
};

/** One more round of evidence and a document time-stamp, as the sealing worker adds it. */
export async function extended(pdf: Buffer, authority: LocalTimestampAuthority): Promise<Buffer> {
  const last = lastSignature(pdf);
  if (!last) throw new Error('no signature covers the file');
  const evidence = await collectEvidence(last.leaves, last.certificates, { fetch: fetchEvidence });
  const withEvidence = Buffer.concat([pdf, await appendEvidence(pdf, evidence, last.contents)]);
  const hole = { kind: 'timestamp' as const, fieldName: 'timestamp', signatureBytes: 12_288 };
  return timestampDocument(await preparedRevision(withEvidence, hole), timestampBy(authority));
}

/** The bytes under each signature of a file in the order in which they were made, and its CMS, as files of a folder. */
export function signaturesIn(pdf: Buffer, folder: string): { content: string; cms: string }[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/\/ByteRange \[0 (\d+) (\d+) (\d+)\]/g)].map(([, open, close, length]) => {
    const [from, to, rest] = [Number(open), Number(close), Number(length)];
    const bytes = Buffer.from(text.slice(from + 1, to - 1), 'hex');
    const name = path.join(folder, randomUUID());
    fs.writeFileSync(`${name}.cms`, bytes.subarray(0, 4 + bytes.readUInt16BE(2)));
    fs.writeFileSync(`${name}.content`, Buffer.concat([pdf.subarray(0, from), pdf.subarray(to, to + rest)]));
    return { content: `${name}.content`, cms: `${name}.cms` };
  });
}
