import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import { type Attribute, Certificate, ContentInfo, IssuerAndSerialNumber, SignedData, type SignerInfo } from 'pkijs';
import { contentOf, derOf, ownBytes, parsed } from './der.ts';
import { nameText } from './distinguished-name.ts';
import { DIGESTS, OID } from './oids.ts';

/** The one signer of a SignedData. */
export interface Signer {
  certificate: X509Certificate;
  certificateDer: Buffer;
  /** Subject, as RFC 4514 writes it. */
  name: string;
  /** The signature value. */
  signature: Buffer;
  unsigned: readonly Attribute[];
  signed: readonly Attribute[];
  /** Whether the signature holds over this content: its digest is the signed one, and the key of the certificate signed it. */
  holdsOver(content: Uint8Array | readonly Uint8Array[]): boolean;
}

/** Parses a ContentInfo of SignedData. Throws Error. */
export function parsedSignedData(der: Buffer): SignedData {
  const info = new ContentInfo({ schema: parsed(der) });
  if (info.contentType !== OID.signedData) throw new Error('no SignedData');
  return new SignedData({ schema: info.content });
}

/** The signer of a SignedData with exactly one, whose certificate is in it. Throws Error. */
export function signerOf(signedData: SignedData, contentType: string): Signer {
  const [info, another] = signedData.signerInfos;
  if (!info || another) throw new Error('not exactly one signer');
  if (!info.signedAttrs) throw new Error('no signed attributes');
  const certificate = certificateOf(signedData, info);
  const certificateDer = derOf(certificate.toSchema());
  const x509 = new X509Certificate(certificateDer);
  const signed = info.signedAttrs.attributes;
  const signature = contentOf(info.signature);
  return {
    certificate: x509,
    certificateDer,
    name: nameText(certificate.subject),
    signature,
    signed,
    unsigned: info.unsignedAttrs?.attributes ?? [],
    holdsOver: (content) =>
      isContentType(signed, contentType) && isDigestOf(info, content) && isSignedBy(x509.publicKey, info, signature),
  };
}

/** The only value of the only attribute of a type; undefined when there is none, or more. */
export function singleValue(attributes: readonly Attribute[], type: string): asn1js.AsnType | undefined {
  const found = attributes.filter((attribute) => attribute.type === type);
  const [attribute] = found;
  if (!attribute || found.length > 1 || attribute.values.length !== 1) return undefined;
  return attribute.values[0] as asn1js.AsnType;
}

function certificateOf({ certificates = [] }: SignedData, { sid }: SignerInfo): Certificate {
  if (!(sid instanceof IssuerAndSerialNumber))
    throw new Error('a signer that is not named by issuer and serial number');
  const found = certificates.find(
    (one): one is Certificate =>
      one instanceof Certificate && one.issuer.isEqual(sid.issuer) && one.serialNumber.isEqual(sid.serialNumber),
  );
  if (!found) throw new Error('the certificate of the signer is missing');
  return found;
}

function isContentType(attributes: readonly Attribute[], expected: string): boolean {
  const value = singleValue(attributes, OID.contentType);
  return value instanceof asn1js.ObjectIdentifier && value.getValue() === expected;
}

function isDigestOf(info: SignerInfo, content: Uint8Array | readonly Uint8Array[]): boolean {
  const digest = DIGESTS[info.digestAlgorithm.algorithmId];
  const value = singleValue(info.signedAttrs?.attributes ?? [], OID.messageDigest);
  if (!digest || !(value instanceof asn1js.OctetString)) return false;
  const hash = createHash(digest);
  for (const part of content instanceof Uint8Array ? [content] : content) hash.update(part);
  return hash.digest().equals(contentOf(value));
}

/** Over the attributes as they stand there: DER, with the tag of a SET OF in place of [0] (RFC 5652, section 5.4). */
function isSignedBy(key: KeyObject, info: SignerInfo, signature: Buffer): boolean {
  const digest = DIGESTS[info.digestAlgorithm.algorithmId];
  const attributes = info.signedAttrs?.encodedValue;
  if (!digest || !attributes?.byteLength) return false;
  const data = Buffer.from(ownBytes(new Uint8Array(attributes)));
  if (key.asymmetricKeyType === 'ec') return verify(digest, data, { key, dsaEncoding: 'der' }, signature);
  if (key.asymmetricKeyType !== 'rsa') return false;
  const pss = info.signatureAlgorithm.algorithmId === OID.rsaPss;
  const padding = pss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : { padding: constants.RSA_PKCS1_PADDING };
  return verify(digest, data, { key, ...padding }, signature);
}
