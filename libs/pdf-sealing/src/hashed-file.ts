import { createHash, type Hash } from 'node:crypto';

/** A file with its SHA-256. The digest of a longer file that begins with these bytes goes on from there: they are hashed once. */
export class HashedFile {
  /** 32 bytes. */
  readonly sha256: Buffer;
  private readonly state: Hash;

  /** `bytes` must not change afterwards. */
  constructor(readonly bytes: Buffer) {
    this.state = createHash('sha256').update(bytes);
    this.sha256 = this.state.copy().digest();
  }

  /** SHA-256 (32 bytes) of the file with `parts` behind it. */
  digestWith(...parts: readonly Uint8Array[]): Buffer {
    const hash = this.state.copy();
    for (const part of parts) hash.update(part);
    return hash.digest();
  }
}
