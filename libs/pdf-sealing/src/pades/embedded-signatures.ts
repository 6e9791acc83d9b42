import { createHash } from 'node:crypto';
import * as asn1js from 'asn1js';
import { Certificate, type SignedData } from 'pkijs';
import { NO_CHANGES } from '../append/signature-field.ts';
import { keyFingerprint } from './certificate-facts.ts';
import { derOf } from './der.ts';
import { OID } from './oids.ts';
import { signingCertificateV2 } from './signed-attributes.ts';
import { signedDataDer } from './signed-data.ts';
import { parsedSignedData, type Signer, signerOf, singleValue } from './signer-info.ts';
import { timestampHolds } from './timestamp.ts';

/** PAdES baseline levels (ETSI EN 319 142-1) that are distinguished. */
export type SignatureLevel = 'B-B' | 'B-T';

export interface EmbeddedSignature {
  /** A document time-stamp (ETSI.RFC3161) is an authority's statement about the file, not a signature. */
  kind: 'signature' | 'timestamp';
  /** Whether it covers every byte of the file but its own value, and holds. */
  valid: boolean;
  /** Bytes from the start of the file over which it holds, its own value aside; null when it holds over none. */
  holdsOver: number | null;
  level: SignatureLevel;
  /** Whether it is a certification that permits no change afterwards, as this engine writes it. Means something where it is valid only. */
  certified: boolean;
  /** Subject of the signer's certificate; null when that cannot be read. */
  signer: string | null;
  /** SHA-256 of the SubjectPublicKeyInfo of the signer's key, hex; null when the certificate cannot be read. */
  keyFingerprint: string | null;
}

/** Looked at from the end of the file: the latest signatures. */
const MOST_SIGNATURES = 16;
const BYTE_RANGE = /^\/ByteRange[\s\0]{0,16}\[[\s\0]{0,16}(\d{1,10})[\s\0]{1,16}(\d{1,10})[\s\0]{1,16}(\d{1,10})[\s\0]{1,16}(\d{1,10})[\s\0]{0,16}\]/; // prettier-ignore
const BYTE_RANGE_BYTES = 160;
const KEYWORD = Buffer.from('/ByteRange');
/** A CMS of 128 KB: ours with a chain and a time-stamp has some 20. */
const MOST_HEX_DIGITS = 256 * 1024;
const CERTIFIES = Buffer.from(NO_CHANGES);
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;

/**
 * The signatures in the bytes of a PDF, the latest first, each verified over the byte range that it names. Works on the raw file
 * and not on its objects: a signature that holds over all bytes but its own value leaves nothing for a reader to disagree about.
 * Never throws; its work grows with the length of the file only.
 */
export function embeddedSignatures(pdf: Buffer): EmbeddedSignature[] {
  const found: EmbeddedSignature[] = [];
  for (let at = pdf.lastIndexOf(KEYWORD); at >= 0 && found.length < MOST_SIGNATURES; at = before(pdf, at))
    found.push(signatureAt(pdf, at));
  return found;
}

const before = (pdf: Buffer, at: number) => (at === 0 ? -1 : pdf.lastIndexOf(KEYWORD, at - 1));

function signatureAt(pdf: Buffer, at: number): EmbeddedSignature {
  const unreadable: EmbeddedSignature = {
    kind: 'signature',
    valid: false,
    holdsOver: null,
    level: 'B-B',
    certified: false,
    signer: null,
    keyFingerprint: null,
  };
  try {
    const range = byteRangeAt(pdf, at);
    const cms = range && hole(pdf, range);
    return cms ? { ...verified(pdf, range, cms), certified: certifies(pdf, at) } : unreadable;
  } catch {
    return unreadable;
  }
}

const certifies = (pdf: Buffer, at: number) => pdf.subarray(Math.max(0, at - CERTIFIES.length), at).equals(CERTIFIES);

interface Range {
  /** End of the first part, where `<` stands, and start of the second, after `>`. */
  open: number;
  close: number;
  end: number;
}

function byteRangeAt(pdf: Buffer, at: number): Range | undefined {
  const found = BYTE_RANGE.exec(pdf.toString('latin1', at, at + BYTE_RANGE_BYTES));
  if (!found) return undefined;
  const [start, open, close, length] = found.slice(1).map(Number) as [number, number, number, number];
  const end = close + length;
  return start === 0 && open < close && end <= pdf.length ? { open, close, end } : undefined;
}

/** The CMS in a hole that holds nothing else: hex digits of one DER value, then zeros. */
function hole(pdf: Buffer, { open, close }: Range): Buffer | undefined {
  const digits = close - open - 2;
  if (pdf[open] !== LESS_THAN || pdf[close - 1] !== GREATER_THAN) return undefined;
  if (digits <= 0 || digits % 2 > 0 || digits > MOST_HEX_DIGITS) return undefined;
  const text = pdf.toString('latin1', open + 1, close - 1);
  if (!/^(?:[0-9a-f]*|[0-9A-F]*)$/.test(text)) return undefined; // of one case: no digit can be exchanged for its double
  const bytes = Buffer.from(text, 'hex');
  const { offset } = asn1js.fromBER(new Uint8Array(bytes).buffer);
  if (offset <= 0) return undefined;
  return bytes.subarray(offset).every((byte) => byte === 0) ? bytes.subarray(0, offset) : undefined;
}

function verified(pdf: Buffer, { open, close, end }: Range, cms: Buffer): Omit<EmbeddedSignature, 'certified'> {
  const signedData = parsedSignedData(cms);
  const content = [pdf.subarray(0, open), pdf.subarray(close, end)];
  if (signedData.encapContentInfo.eContentType === OID.tstInfo) return documentTimestamp(pdf, end, cms, content);
  const signer = signerOf(signedData, OID.data);
  const token = singleValue(signer.unsigned, OID.signatureTimeStampToken);
  const timestamp = token && timestampHolds(derOf(token), createHash('sha256').update(signer.signature).digest());
  const holds =
    !signer.signed.some(({ type }) => type === OID.signingTime) &&
    signer.holdsOver(content) &&
    isExact(cms, signedData, signer, token && derOf(token)) &&
    timestamp !== false &&
    onlyTimestamp(signer);
  return {
    kind: 'signature',
    ...coverage(holds, end, pdf),
    level: token ? 'B-T' : 'B-B',
    signer: signer.name,
    keyFingerprint: keyFingerprint(signer.certificateDer),
  };
}

function coverage(holds: boolean, end: number, pdf: Buffer): Pick<EmbeddedSignature, 'valid' | 'holdsOver'> {
  return { valid: holds && end === pdf.length, holdsOver: holds ? end : null };
}

function documentTimestamp(
  pdf: Buffer,
  end: number,
  cms: Buffer,
  content: readonly Buffer[],
): Omit<EmbeddedSignature, 'certified'> {
  const digest = createHash('sha256');
  for (const part of content) digest.update(part);
  const { name, certificateDer } = signerOf(parsedSignedData(cms), OID.tstInfo);
  return {
    kind: 'timestamp',
    ...coverage(timestampHolds(cms, digest.digest()), end, pdf),
    level: 'B-T',
    signer: name,
    keyFingerprint: keyFingerprint(certificateDer),
  };
}

/** The CMS of the signature that stands last in a file and covers all of it, with /Contents whole; undefined when there is none. */
export function lastSignatureCms(pdf: Buffer): { cms: Buffer; contents: Buffer } | undefined {
  const at = pdf.lastIndexOf(KEYWORD);
  const range = at < 0 ? undefined : byteRangeAt(pdf, at);
  const cms = range && range.end === pdf.length ? hole(pdf, range) : undefined;
  if (!cms || !range) return undefined;
  return { cms, contents: Buffer.from(pdf.toString('latin1', range.open + 1, range.close - 1), 'hex') };
}

/** Nothing but a time-stamp is unsigned: no one has added to what was sealed. */
const onlyTimestamp = ({ unsigned }: Signer) =>
  unsigned.length === 0 || (unsigned.length === 1 && singleValue(unsigned, OID.signatureTimeStampToken) !== undefined);

/**
 * Whether a SignedData is, byte for byte, how its parts are written here, and names all its certificates. Much of a SignedData is under no
 * signature (versions, algorithms, the name of the issuer, other certificates): none of it may be anything else.
 */
function isExact(cms: Buffer, signedData: SignedData, signer: Signer, timestampToken: Buffer | undefined): boolean {
  const certificates = (signedData.certificates ?? []).filter((one) => one instanceof Certificate);
  const [first, ...others] = certificates;
  const attributes = signedData.signerInfos[0]?.signedAttrs;
  if (!first || !attributes) return false;
  const { signature } = signer;
  const written = signedDataDer({ certificates: [first, ...others], attributes, signature, timestampToken });
  if (!written.equals(cms)) return false;
  const [signers, ...issuers] = certificates.map((certificate) => derOf(certificate.toSchema()));
  return signer.certificateDer.equals(signers as Buffer) && names(signer, [signer.certificateDer, ...issuers]);
}

/** signing-certificate-v2 with the SHA-256 of just these certificates (RFC 5035). */
function names({ signed }: Signer, certificates: readonly Buffer[]): boolean {
  const value = singleValue(signed, OID.signingCertificateV2);
  return value !== undefined && derOf(value).equals(derOf(signingCertificateV2(certificates)));
}
