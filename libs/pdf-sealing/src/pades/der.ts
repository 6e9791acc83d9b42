import * as asn1js from 'asn1js';
import { AlgorithmIdentifier } from 'pkijs';
import { OID } from './oids.ts';

/** Anything that asn1js or pkijs can write. */
interface Encodable {
  toBER(): ArrayBuffer;
}

export const derOf = (value: Encodable): Buffer => Buffer.from(value.toBER());

/** pkijs keeps views of what it was given: a copy with a buffer of its own is safe from changes by the owner of the bytes. */
export const ownBytes = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Parses DER that must end where the bytes end. Throws Error. */
export function parsed(der: Uint8Array): asn1js.AsnType {
  const { offset, result } = asn1js.fromBER(ownBytes(der));
  if (offset !== der.length) throw new Error('bytes that are no DER, or more than one value');
  return result;
}

export const octets = (bytes: Uint8Array) => new asn1js.OctetString({ valueHex: ownBytes(bytes) });

/** The content of an OCTET STRING, BIT STRING or INTEGER. */
export const contentOf = (value: { valueBlock: { valueHexView: Uint8Array } }): Buffer =>
  Buffer.from(value.valueBlock.valueHexView);

/** SHA-256 (RFC 5754: parameters absent). */
export const sha256Algorithm = () => new AlgorithmIdentifier({ algorithmId: OID.sha256 });

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 4055: parameters NULL). */
export const rsaAlgorithm = () =>
  new AlgorithmIdentifier({ algorithmId: OID.sha256WithRsa, algorithmParams: new asn1js.Null() });
