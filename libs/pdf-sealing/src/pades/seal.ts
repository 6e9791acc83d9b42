import { createHash } from 'node:crypto';
import type { PreparedSeal } from '../append/revision.ts';
import { HashedFile } from '../hashed-file.ts';
import { SealingFailure } from '../sealing-failure.ts';
import { SignatureForms } from './signature-forms.ts';
import type { SealingIdentity } from './sealing-identity.ts';

export interface Sealer extends SealingIdentity {
  /** Signs a SHA-256 digest: RSASSA-PKCS1-v1_5 (RFC 8017 §8.2). Its errors pass through. */
  sign: (digest: Buffer) => Promise<Buffer>;
  /** Answers a time-stamp token (RFC 3161, DER of the ContentInfo) over a SHA-256 digest. Left out: level B-B. Its errors pass through. */
  timestamp?: (digest: Buffer) => Promise<Buffer>;
}

/** Everything of a SignedData but certificates, issuer name, serial number, signature and token: 265 bytes, and lengths that grow. */
const FRAME_BYTES = 512;
/** An issuer's hash in signing-certificate-v2: 36 bytes, and lengths that grow. */
const NAMED_BYTES = 48;
/** RSA of 4,096 bits. */
const LONGEST_SIGNATURE_BYTES = 512;
/** Tokens with the chain of their authority are 3 to 9 KB. */
const TIMESTAMP_TOKEN_BYTES = 12 * 1024;

/** Bytes that `PdfPool.prepare` must leave for the signature of this identity. */
export function signatureRoom({ certificateDer, chainDer }: SealingIdentity, timestamped: boolean): number {
  const chain = chainDer.reduce((sum, der) => sum + der.length, 0);
  // The issuer's name and the serial number stand in the certificate and once more beside it.
  const certificates = 2 * certificateDer.length + chain + NAMED_BYTES * chainDer.length;
  return FRAME_BYTES + LONGEST_SIGNATURE_BYTES + certificates + (timestamped ? TIMESTAMP_TOKEN_BYTES : 0);
}

/**
 * Signs a prepared document: PAdES baseline B-B, or B-T with a time-stamp (ETSI EN 319 142-1). The signature value comes from
 * outside, over the digest of the signed attributes. Fills the hole in `prepared.bytes` itself and answers those bytes. Throws
 * SealingFailure `internal` when the signature needs more room than the hole has.
 */
export async function seal(prepared: PreparedSeal, sealer: Sealer): Promise<Buffer> {
  const forms = SignatureForms.of(sealer);
  const documentDigest = byteRangeDigest(prepared);
  const signature = await sealer.sign(sha256(forms.attributes(documentDigest)));
  const timestampToken = await sealer.timestamp?.(sha256(signature));
  return filled(prepared, forms.signedData(documentDigest, signature, timestampToken));
}

/** Bytes that `PdfPool.assemble` must leave for a document time-stamp. */
export const DOCUMENT_TIMESTAMP_ROOM = TIMESTAMP_TOKEN_BYTES;

/** Fills the hole of a prepared document with a time-stamp over all its other bytes, as `seal` does with a signature. */
export async function timestampDocument(prepared: PreparedSeal, timestamp: Sealer['sign']): Promise<Buffer> {
  return filled(prepared, await timestamp(byteRangeDigest(prepared)));
}

/** SHA-256 (32 bytes) of a prepared document as it is now: once `seal` has filled its hole, of the sealed one. */
export function documentDigest(prepared: PreparedSeal): Buffer {
  const { length } = prepared.bytes;
  return digestWithout(prepared, length, length);
}

/** SHA-256 of all but the hole. */
function byteRangeDigest(prepared: PreparedSeal): Buffer {
  const [, length, start2] = prepared.byteRange;
  return digestWithout(prepared, length, start2);
}

const NOTHING = new HashedFile(Buffer.alloc(0));

/** SHA-256 of all but the bytes between two offsets, which are behind the base. */
function digestWithout({ bytes, base = NOTHING }: PreparedSeal, from: number, to: number): Buffer {
  return base.digestWith(bytes.subarray(base.bytes.length, from), bytes.subarray(to));
}

function filled({ bytes, contents }: PreparedSeal, cms: Buffer): Buffer {
  if (cms.length * 2 > contents.hexLength) {
    const room = contents.hexLength / 2;
    throw new SealingFailure(
      'internal',
      `The signature takes ${cms.length} bytes, and the document has room for ${room}.`,
    );
  }
  bytes.write(cms.toString('hex'), contents.offset + 1, 'latin1');
  return bytes;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
