import { Certificate, CertificateRevocationList } from 'pkijs';
import { contentOf, ownBytes } from '../pades/der.ts';
import { isCurrent, isSignedByAuthority } from './authority-signature.ts';
import { EvidenceUnavailable } from './evidence-unavailable.ts';

/** Checks that a list of revoked certificates is its issuer's, current, and without this certificate. Throws EvidenceUnavailable. */
export function checkCrl(
  der: Buffer,
  { certificateDer, issuerDer, now }: { certificateDer: Buffer; issuerDer: Buffer; now: Date },
): void {
  const list = parsedCrl(der);
  const signed = { algorithm: list.signatureAlgorithm, tbs: list.tbsView, signature: contentOf(list.signatureValue) };
  const issuer = Certificate.fromBER(ownBytes(issuerDer));
  if (!list.issuer.isEqual(issuer.subject) || !isSignedByAuthority(issuerDer, signed))
    throw new EvidenceUnavailable('the revocation list is not signed by the issuer');
  if (!isCurrent(now, list.thisUpdate.value, list.nextUpdate?.value))
    throw new EvidenceUnavailable('the revocation list is out of date');
  const { serialNumber } = Certificate.fromBER(ownBytes(certificateDer));
  if (list.revokedCertificates?.some(({ userCertificate }) => userCertificate.isEqual(serialNumber)))
    throw new EvidenceUnavailable('the revocation list names the certificate');
}

function parsedCrl(der: Buffer): CertificateRevocationList {
  try {
    return CertificateRevocationList.fromBER(ownBytes(der));
  } catch (error) {
    throw new EvidenceUnavailable('the address of the revocation list gave none', { cause: error });
  }
}
