import { Certificate, type SignedData } from 'pkijs';
import { derOf } from '../pades/der.ts';
import { lastSignatureCms } from '../pades/embedded-signatures.ts';
import { OID } from '../pades/oids.ts';
import { parsedSignedData, signerOf, singleValue } from '../pades/signer-info.ts';

/** The last signature or document time-stamp of a file, as far as its evidence is concerned. */
export interface LastSignature {
  kind: 'signature' | 'timestamp';
  /** The certificates that signed: the signer's and the time-stamping authority's, or only the latter's. */
  leaves: Buffer[];
  /** Every certificate in it. */
  certificates: Buffer[];
  /** When the certificate of its time-stamp ends; undefined: it has none. */
  timestampEndsAt: Date | undefined;
  /** /Contents as it stands in the file, zeros included: its SHA-1 names its entry of /VRI. */
  contents: Buffer;
}

/** Reads the last signature of a file that this engine sealed; undefined when no signature covers the file to its end. */
export function lastSignature(pdf: Buffer): LastSignature | undefined {
  const found = lastSignatureCms(pdf);
  if (!found) return undefined;
  const { cms, contents } = found;
  const signedData = parsedSignedData(cms);
  if (signedData.encapContentInfo.eContentType === OID.tstInfo) {
    const signer = signerOf(signedData, OID.tstInfo);
    return {
      kind: 'timestamp',
      leaves: [signer.certificateDer],
      certificates: certificatesOf(signedData),
      timestampEndsAt: new Date(signer.certificate.validTo),
      contents,
    };
  }
  const signer = signerOf(signedData, OID.data);
  const token = singleValue(signer.unsigned, OID.signatureTimeStampToken);
  const timestamp = token && parsedSignedData(derOf(token));
  const authority = timestamp && signerOf(timestamp, OID.tstInfo);
  return {
    kind: 'signature',
    leaves: [signer.certificateDer, ...(authority ? [authority.certificateDer] : [])],
    certificates: [...certificatesOf(signedData), ...(timestamp ? certificatesOf(timestamp) : [])],
    timestampEndsAt: authority && new Date(authority.certificate.validTo),
    contents,
  };
}

const certificatesOf = ({ certificates = [] }: SignedData) =>
  certificates.filter((one) => one instanceof Certificate).map((one) => derOf(one.toSchema()));
