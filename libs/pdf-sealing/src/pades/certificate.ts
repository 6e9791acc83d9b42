import { createHash, randomBytes } from 'node:crypto';
import * as asn1js from 'asn1js';
import { BasicConstraints, Certificate, Extension, PublicKeyInfo } from 'pkijs';
import { derOf, octets, ownBytes, rsaAlgorithm } from './der.ts';
import { distinguishedName } from './distinguished-name.ts';
import { OID } from './oids.ts';

const V3 = 2;
const VALID_YEARS = 10;
/** Another machine's clock may be behind. */
const BACKDATED_MS = 3_600_000;
/** digitalSignature and nonRepudiation: the first two of nine bits. */
const KEY_USAGE = Uint8Array.of(0b1100_0000);

export interface SelfIssued {
  /** As `distinguishedName` reads it. */
  subject: string;
  /** SubjectPublicKeyInfo of an RSA key, DER. */
  spkiDer: Buffer;
  now?: Date;
  /** Signs a SHA-256 digest with that key: RSASSA-PKCS1-v1_5. */
  sign: (digest: Buffer) => Promise<Buffer>;
}

/**
 * An X.509 v3 certificate that a key issues to itself (RFC 5280): for signatures and non-repudiation, no authority, valid for
 * ten years from an hour ago. Answers DER. Two calls make two certificates.
 */
export async function selfIssuedCertificate({ subject, spkiDer, sign, now = new Date() }: SelfIssued): Promise<Buffer> {
  const name = distinguishedName(subject);
  const certificate = new Certificate();
  certificate.version = V3;
  certificate.serialNumber = new asn1js.Integer({ valueHex: ownBytes(serialNumber()) });
  certificate.issuer = name;
  certificate.subject = name;
  certificate.notBefore.value = wholeSeconds(now.getTime() - BACKDATED_MS);
  certificate.notAfter.value = wholeSeconds(new Date(now).setFullYear(now.getFullYear() + VALID_YEARS));
  certificate.subjectPublicKeyInfo = PublicKeyInfo.fromBER(ownBytes(spkiDer));
  certificate.extensions = extensions(certificate.subjectPublicKeyInfo);
  certificate.signature = rsaAlgorithm();
  certificate.signatureAlgorithm = rsaAlgorithm();
  const tbs = derOf(certificate.encodeTBS());
  certificate.tbsView = new Uint8Array(ownBytes(tbs));
  const signature = await sign(createHash('sha256').update(tbs).digest());
  certificate.signatureValue = new asn1js.BitString({ valueHex: ownBytes(signature) });
  return derOf(certificate.toSchema());
}

function extensions(key: PublicKeyInfo): Extension[] {
  const identifier = createHash('sha1').update(key.subjectPublicKey.valueBlock.valueHexView).digest(); // RFC 5280 §4.2.1.2 (1)
  const constraints = new BasicConstraints({ cA: false });
  const usage = new asn1js.BitString({ valueHex: ownBytes(KEY_USAGE), unusedBits: 6 });
  return [
    new Extension({ extnID: OID.basicConstraints, critical: true, extnValue: constraints.toSchema().toBER() }),
    new Extension({ extnID: OID.keyUsage, critical: true, extnValue: usage.toBER() }),
    new Extension({ extnID: OID.subjectKeyIdentifier, extnValue: octets(identifier).toBER() }),
  ];
}

/** 16 random bytes, positive and without a leading zero. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40;
  return bytes;
}

const wholeSeconds = (ms: number) => new Date(Math.floor(ms / 1_000) * 1_000);
