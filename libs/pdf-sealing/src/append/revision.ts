import type { HashedFile } from '../hashed-file.ts';

/** Where a signature is to go. */
export interface Hole {
  /** What the signature covers: [start1, length1, start2, length2], everything but `<`, the hex string and `>`. Written into the file already. */
  byteRange: [number, number, number, number];
  /** `offset` of the `<` that opens /Contents, and the length in bytes of the zeros between `<` and `>`. */
  contents: { offset: number; hexLength: number };
}

/** A filled document that waits for its signature: bytes with a hole. */
export interface PreparedSeal extends Hole {
  bytes: Buffer;
  /** What `bytes` begin with, before the hole; left out where that has not been hashed. */
  base?: HashedFile;
}

export interface SealOptions {
  /** `timestamp`: the hole is for a document time-stamp (ETSI EN 319 142-1, 5.4.3), which has no name, reason or time of its own. */
  kind?: 'timestamp';
  /** Partial name of the signature field; a number is added where the document has a field of that name. */
  fieldName: string;
  /** Room for the CMS signature, in bytes (half of the hex string's length), e.g. 8192. */
  signatureBytes: number;
  /** The claimed time of signing, ISO 8601 in UTC; written as /M, which PAdES asks for. */
  signedAt?: string;
  /** Written as /Reason. */
  reason?: string;
  /** Written as /Name. */
  signerName?: string;
  /**
   * Left out: a document without earlier signatures is certified, with no change permitted afterwards (DocMDP, P 1). false: an approval
   * signature, which revisions may follow. A document that is signed already gets an approval signature in any case.
   */
  certify?: boolean;
}
