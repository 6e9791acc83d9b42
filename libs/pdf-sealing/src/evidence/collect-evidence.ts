import { X509Certificate } from 'node:crypto';
import type { Evidence } from '../append/evidence.ts';
import { isIssuedBy, isSelfIssued } from './authority-signature.ts';
import { certificateAddresses } from './certificate-addresses.ts';
import { checkCrl } from './crl.ts';
import { EvidenceUnavailable } from './evidence-unavailable.ts';
import { checkOcsp, ocspRequest } from './ocsp.ts';

/** Fetches from an address that a certificate names: with a body by POST. Its errors count as "not there at present". */
export type FetchEvidence = (url: string, post?: { type: string; body: Buffer }) => Promise<Buffer>;

export interface CollectOptions {
  fetch: FetchEvidence;
  now?: Date;
}

/** Certificates of a chain at most. */
const LONGEST_CHAIN = 8;

/**
 * Collects what shows that certificates are valid now: for each its chain up to a certificate that issued itself, and for each of the
 * chain but the last an OCSP response, or a revocation list where there is none. Throws EvidenceUnavailable.
 *
 * @param leaves certificates that signed something
 * @param known where issuers may be found; others are fetched
 */
export async function collectEvidence(
  leaves: readonly Buffer[],
  known: readonly Buffer[],
  { fetch, now = new Date() }: CollectOptions,
): Promise<Evidence> {
  const certificates = new Map<string, Buffer>();
  const ocspResponses: Buffer[] = [];
  const crls = new Map<string, Buffer>();
  const keep = (der: Buffer) => certificates.set(der.toString('latin1'), der);
  const hasStatus = new Set<string>();
  for (const leaf of leaves) {
    const chain = await chainOf(leaf, known, fetch);
    chain.forEach(keep);
    for (const [nth, certificateDer] of chain.slice(0, -1).entries()) {
      const name = certificateDer.toString('latin1');
      if (hasStatus.has(name)) continue;
      hasStatus.add(name);
      const status = await statusOf({ certificateDer, issuerDer: chain[nth + 1] as Buffer, now }, fetch);
      if (status.ocsp) ocspResponses.push(status.ocsp);
      if (status.crl) crls.set(status.crl.toString('latin1'), status.crl);
      if (status.delegate) keep(status.delegate);
    }
  }
  return { certificates: [...certificates.values()], ocspResponses, crls: [...crls.values()] };
}

async function chainOf(leaf: Buffer, known: readonly Buffer[], fetch: FetchEvidence): Promise<Buffer[]> {
  const chain = [leaf];
  for (let last = leaf; !isSelfIssued(last);) {
    if (chain.length === LONGEST_CHAIN) throw new EvidenceUnavailable('the chain of a certificate does not end');
    const issuer = known.find((der) => isIssuedBy(last, der)) ?? (await fetchedIssuer(last, fetch));
    chain.push(issuer);
    last = issuer;
  }
  return chain;
}

async function fetchedIssuer(certificateDer: Buffer, fetch: FetchEvidence): Promise<Buffer> {
  const name = subjectOf(certificateDer);
  const { issuers } = certificateAddresses(certificateDer);
  return firstUsable(issuers, `the issuer of ${name} is not in the chain and cannot be fetched`, async (url) => {
    const issuer = new X509Certificate(await fetch(url)).raw;
    if (!isIssuedBy(certificateDer, issuer)) throw new EvidenceUnavailable('its address gave another certificate');
    return issuer;
  });
}

interface Checked {
  certificateDer: Buffer;
  issuerDer: Buffer;
  now: Date;
}

interface Status {
  ocsp?: Buffer;
  crl?: Buffer;
  delegate?: Buffer;
}

async function statusOf(checked: Checked, fetch: FetchEvidence): Promise<Status> {
  const { ocsp, crls } = certificateAddresses(checked.certificateDer);
  const type = 'application/ocsp-request';
  const body = ocspRequest(checked.certificateDer, checked.issuerDer);
  const sources: (() => Promise<Status>)[] = [
    ...ocsp.map((url) => async () => {
      const response = await fetch(url, { type, body });
      return { ocsp: response, ...checkOcsp(response, checked) };
    }),
    ...crls.map((url) => async () => {
      const crl = await fetch(url);
      checkCrl(crl, checked);
      return { crl };
    }),
  ];
  const problem = `no usable revocation status of ${subjectOf(checked.certificateDer)}`;
  return firstUsable(sources, problem, (source) => source());
}

/** The answer of the first source that can be used. Throws EvidenceUnavailable with the reason of each. */
async function firstUsable<Source, T>(
  sources: readonly Source[],
  problem: string,
  use: (source: Source) => Promise<T>,
): Promise<T> {
  const reasons: string[] = [];
  for (const source of sources) {
    try {
      return await use(source);
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new EvidenceUnavailable(`${problem}: ${reasons.join('; ') || 'the certificate names no address'}`);
}

const subjectOf = (der: Buffer) => new X509Certificate(der).subject.split('\n').reverse().join(', ');
