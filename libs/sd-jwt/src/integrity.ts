import { createHash } from 'node:crypto';

/** Digests of Subresource Integrity, the strongest first. */
const ALGORITHMS = ['sha512', 'sha384', 'sha256'] as const;

const digest = (document: Buffer, algorithm: string): string => createHash(algorithm).update(document).digest('base64');

/** The digest of a document, as Subresource Integrity writes it. */
export const integrityOf = (document: Buffer): string => `sha256-${digest(document, 'sha256')}`;

/**
 * Whether a document is the one that an integrity metadata string is about (W3C Subresource Integrity, section 3.3.5): of several digests
 * one by the strongest algorithm has to match. A string without a known algorithm matches nothing.
 */
export function matchesIntegrity(document: Buffer, integrity: string): boolean {
  const digests = integrity.split(/\s+/).map((each) => each.split('?', 1)[0] as string);
  const strongest = ALGORITHMS.find((algorithm) => digests.some((each) => each.startsWith(`${algorithm}-`)));
  return strongest !== undefined && digests.includes(`${strongest}-${digest(document, strongest)}`);
}
