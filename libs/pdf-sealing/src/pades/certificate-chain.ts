import { X509Certificate } from 'node:crypto';
import type * as asn1js from 'asn1js';
import { Certificate } from 'pkijs';
import { ownBytes } from './der.ts';
import { OID } from './oids.ts';
import type { SealingIdentity } from './sealing-identity.ts';

/** Certificates that a checked chain may have. */
export const LONGEST_CHAIN = 5;
/** digitalSignature and nonRepudiation, in the first byte of the bits (RFC 5280, section 4.2.1.3). */
const SIGNS = 0b1100_0000;

export type ChainFault =
  'wrong_format' | 'private_key' | 'too_many' | 'wrong_order' | 'not_yet_valid' | 'expired' | 'not_for_signatures';

/** A certificate chain that cannot be used. The message is a sentence for who supplied it. */
export class ChainProblem extends Error {
  constructor(
    readonly code: ChainFault,
    message: string,
  ) {
    super(message);
    this.name = 'ChainProblem';
  }
}

/**
 * Reads a PEM file of a signer's certificate followed by its issuers', each the issuer of the one before. Throws ChainProblem.
 */
export function certificateChain(pem: string): SealingIdentity {
  const [signer, ...issuers] = orderedChain(pem);
  checkTime(signer, 1, new Date());
  return identityOf(signer, issuers);
}

/**
 * The same for a chain from outside, with all that a reader of a signature asks for: at most LONGEST_CHAIN certificates, all valid now,
 * the issuers authorities, the signer's no authority and for signatures. Throws ChainProblem.
 */
export function checkedChain(pem: string, now = new Date()): SealingIdentity {
  if (pem.includes('PRIVATE KEY-----'))
    throw new ChainProblem('private_key', 'Send certificates alone: a private key belongs to nobody but its owner.');
  const [signer, ...issuers] = orderedChain(pem);
  if (issuers.length >= LONGEST_CHAIN)
    throw new ChainProblem('too_many', `The chain has more than ${LONGEST_CHAIN} certificates.`);
  [signer, ...issuers].forEach((certificate, index) => checkTime(certificate, index + 1, now));
  const notAnAuthority = issuers.findIndex(({ ca }) => !ca);
  if (notAnAuthority >= 0)
    throw new ChainProblem('wrong_order', `Certificate ${notAnAuthority + 2} of the chain is not an authority's.`);
  if (signer.ca)
    throw new ChainProblem('not_for_signatures', "The first certificate is an authority's: put the key's own first.");
  if (!isForSignatures(signer))
    throw new ChainProblem(
      'not_for_signatures',
      'The first certificate is not for signatures: it needs the key usage digitalSignature or nonRepudiation.',
    );
  return identityOf(signer, issuers);
}

/** Problems of a chain at a later time: the certificate that is not valid then, if there is one. */
export function chainFaultAt(
  { certificateDer, chainDer }: SealingIdentity,
  at: Date,
): 'not_yet_valid' | 'expired' | null {
  for (const der of [certificateDer, ...chainDer]) {
    const fault = timeFault(new X509Certificate(der), at);
    if (fault !== null) return fault;
  }
  return null;
}

/** The certificates of a PEM file in their order. Throws ChainProblem. */
export function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw new ChainProblem('wrong_format', `Certificate ${index + 1} of the chain cannot be read.`);
    }
  });
}

function orderedChain(pem: string): [X509Certificate, ...X509Certificate[]] {
  const chain = certificatesIn(pem);
  const [signer, ...issuers] = chain;
  if (!signer) throw new ChainProblem('wrong_format', 'The chain has no certificate (-----BEGIN CERTIFICATE-----).');
  chain.forEach((certificate, index) => {
    const issuer = chain[index + 1];
    if (issuer && !(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)))
      throw new ChainProblem('wrong_order', `Certificate ${index + 1} of the chain is not issued by the one after it.`);
  });
  return [signer, ...issuers];
}

function checkTime(certificate: X509Certificate, place: number, now: Date): void {
  const fault = timeFault(certificate, now);
  if (fault === null) return;
  const which = place === 1 ? 'The certificate' : `Certificate ${place} of the chain`;
  throw new ChainProblem(
    fault,
    `${which} is valid from ${certificate.validFrom} to ${certificate.validTo}, which is not now.`,
  );
}

function timeFault({ validFrom, validTo }: X509Certificate, at: Date): 'not_yet_valid' | 'expired' | null {
  if (at.getTime() < Date.parse(validFrom)) return 'not_yet_valid';
  return at.getTime() > Date.parse(validTo) ? 'expired' : null;
}

function isForSignatures(certificate: X509Certificate): boolean {
  const { extensions = [] } = Certificate.fromBER(ownBytes(certificate.raw));
  const usage = extensions.find(({ extnID }) => extnID === OID.keyUsage)?.parsedValue as asn1js.BitString | undefined;
  return usage !== undefined && ((usage.valueBlock.valueHexView[0] ?? 0) & SIGNS) !== 0;
}

const identityOf = (signer: X509Certificate, issuers: X509Certificate[]): SealingIdentity => ({
  certificateDer: signer.raw,
  chainDer: issuers.map(({ raw }) => raw),
});
