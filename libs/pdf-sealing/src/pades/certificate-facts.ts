import { createHash, X509Certificate } from 'node:crypto';

/** SHA-256 of the SubjectPublicKeyInfo of a certificate's key, lower-case hex. */
export function keyFingerprint(certificateDer: Buffer): string {
  const spki = new X509Certificate(certificateDer).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('hex');
}

/** Subject of a certificate, the most specific part first: `CN=Constancia, O=Constancia, C=CO`. */
export function subjectName(certificateDer: Buffer): string {
  return asOneLine(new X509Certificate(certificateDer).subject);
}

/** Names and validity of a certificate. */
export interface CertificateFacts {
  subject: string;
  issuer: string;
  validFrom: Date;
  validTo: Date;
}

export function certificateFacts(certificateDer: Buffer): CertificateFacts {
  const { subject, issuer, validFrom, validTo } = new X509Certificate(certificateDer);
  return {
    subject: asOneLine(subject),
    issuer: asOneLine(issuer),
    validFrom: new Date(validFrom),
    validTo: new Date(validTo),
  };
}

const asOneLine = (name: string) => name.split('\n').reverse().join(', ');
