import { X509Certificate } from 'node:crypto';
import { Certificate, CRLDistributionPoints, GeneralName } from 'pkijs';
import { ownBytes } from '../pades/der.ts';
import { OID } from '../pades/oids.ts';

/** Where a certificate says that its status and its issuer can be fetched. */
export interface CertificateAddresses {
  ocsp: string[];
  crls: string[];
  issuers: string[];
}

const URI = 6;

export function certificateAddresses(der: Buffer): CertificateAddresses {
  const access = new X509Certificate(der).infoAccess ?? '';
  const of = (method: string) =>
    [...access.matchAll(new RegExp(`^${method} - URI:(\\S+)$`, 'gm'))].map(([, url]) => url as string);
  return { ocsp: of('OCSP'), issuers: of('CA Issuers'), crls: crlAddresses(der) };
}

function crlAddresses(der: Buffer): string[] {
  const { extensions = [] } = Certificate.fromBER(ownBytes(der));
  const points = extensions.find(({ extnID }) => extnID === OID.crlDistributionPoints)?.parsedValue as unknown;
  if (!(points instanceof CRLDistributionPoints)) return [];
  const names = points.distributionPoints.flatMap(({ distributionPoint }) =>
    Array.isArray(distributionPoint) ? distributionPoint : [],
  );
  return names.filter((name) => name instanceof GeneralName && name.type === URI).map(({ value }) => String(value));
}
