import {
  Attribute,
  type Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { derOf, octets, parsed, rsaAlgorithm, sha256Algorithm } from './der.ts';
import { OID } from './oids.ts';

export interface SignatureParts {
  /** The signer's first, then its issuers'. */
  certificates: [Certificate, ...Certificate[]];
  attributes: SignedAndUnsignedAttributes;
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the attributes. */
  signature: Buffer;
  /** RFC 3161 token (DER of a ContentInfo) over the signature value. */
  timestampToken?: Buffer;
}

/** A detached CMS SignedData in a ContentInfo, DER. */
export function signedDataDer({ certificates, attributes, signature, timestampToken }: SignatureParts): Buffer {
  const [signer] = certificates;
  const signerInfo = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: signer.issuer, serialNumber: signer.serialNumber }),
    digestAlgorithm: sha256Algorithm(),
    signedAttrs: attributes,
    signatureAlgorithm: rsaAlgorithm(),
    signature: octets(signature),
    ...(timestampToken && { unsignedAttrs: timestampAttribute(timestampToken) }),
  });
  const signedData = new SignedData({
    version: 1,
    digestAlgorithms: [sha256Algorithm()],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: OID.data }),
    certificates,
    signerInfos: [signerInfo],
  });
  const contentInfo = new ContentInfo({ contentType: OID.signedData, content: signedData.toSchema() });
  return derOf(contentInfo.toSchema());
}

function timestampAttribute(token: Buffer): SignedAndUnsignedAttributes {
  const attribute = new Attribute({ type: OID.signatureTimeStampToken, values: [parsed(token)] });
  return new SignedAndUnsignedAttributes({ type: 1, attributes: [attribute] });
}
