import { createHash } from 'node:crypto';
import * as asn1js from 'asn1js';
import { Attribute, SignedAndUnsignedAttributes } from 'pkijs';
import { derOf, octets } from './der.ts';
import { OID } from './oids.ts';

export interface SignedAttributes {
  /** As they stand in SignerInfo. */
  attributes: SignedAndUnsignedAttributes;
  /** DER of the SET OF them: what is signed. */
  der: Buffer;
}

/**
 * The signed attributes of a PAdES baseline signature (ETSI EN 319 142-1, section 6.3): content-type, message-digest and
 * signing-certificate-v2. No signing-time: the baseline forbids it, the time stands in the signature dictionary or in a time-stamp.
 *
 * @param documentDigest SHA-256 of the byte range
 * @param certificates the signer's, then its issuers': each is named, so that none of them can be changed or exchanged
 */
export function signedAttributes(documentDigest: Buffer, certificates: readonly Buffer[]): SignedAttributes {
  const attributes = [
    new Attribute({ type: OID.contentType, values: [new asn1js.ObjectIdentifier({ value: OID.data })] }),
    new Attribute({ type: OID.messageDigest, values: [octets(documentDigest)] }),
    new Attribute({ type: OID.signingCertificateV2, values: [signingCertificateV2(certificates)] }),
  ];
  const encoded = attributes.map((attribute) => ({ attribute, der: derOf(attribute.toSchema()) }));
  encoded.sort((a, b) => Buffer.compare(a.der, b.der)); // DER: the elements of a SET OF stand in the order of their encodings
  const ordered = encoded.map(({ attribute }) => attribute);
  const set = new asn1js.Set({ value: ordered.map((attribute) => attribute.toSchema()) });
  return {
    attributes: new SignedAndUnsignedAttributes({ type: 0, attributes: ordered }),
    der: derOf(set),
  };
}

/** SigningCertificateV2 (RFC 5035): ESSCertIDv2 with the default hash, SHA-256, which DER leaves out. The first is the signer's. */
export function signingCertificateV2(certificates: readonly Buffer[]): asn1js.Sequence {
  const named = certificates.map((der) => {
    const hash = createHash('sha256').update(der).digest();
    return new asn1js.Sequence({ value: [octets(hash)] });
  });
  return new asn1js.Sequence({ value: [new asn1js.Sequence({ value: named })] });
}
