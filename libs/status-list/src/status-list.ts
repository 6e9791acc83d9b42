import { deflate, inflateSync } from 'node:zlib';
import { promisify } from 'node:util';
import { decodeBase64url } from '@constancia/signed-jwt';
import { refused } from './refusals.ts';

/** How many bits one status takes. */
export type StatusBits = 1 | 2 | 4 | 8;

/** The meanings of a status of two bits. 3 is left to applications by the registry; ours is a copy that a newer one replaces. */
export const STATUS = { valid: 0, revoked: 1, suspended: 2, superseded: 3 } as const;

/** The member `status_list` of a status list token. */
export interface EncodedStatusList {
  bits: StatusBits;
  /** The list as zlib data in base64url. */
  lst: string;
}

/** A list may not be larger than this once it is decompressed: 4,194,304 statuses of two bits. */
export const MAX_LIST_BYTES = 1_048_576;

/** Bytes that zlib hands over at once: a list of 131,072 statuses of two bits and some, so that it is not pieced together. */
const CHUNK_BYTES = 65_536;

const deflateAsync = promisify(deflate);

const isStatusBits = (bits: unknown): bits is StatusBits => bits === 1 || bits === 2 || bits === 4 || bits === 8;

/** Statuses by index, packed from the least significant bit of each byte on (Token Status List, section 4.1). */
export class StatusList {
  private constructor(
    readonly bits: StatusBits,
    private readonly bytes: Buffer,
  ) {}

  /** A list in which every status is 0. Throws RangeError unless the statuses fill whole bytes, 1 MiB at most. */
  static ofSize(bits: StatusBits, size: number): StatusList {
    const bytes = (size * bits) / 8;
    if (!Number.isInteger(bytes) || bytes < 1 || bytes > MAX_LIST_BYTES)
      throw new RangeError(`a list has whole bytes, 1 to ${MAX_LIST_BYTES}`);
    return new StatusList(bits, Buffer.alloc(bytes));
  }

  /**
   * Decompresses a list that was received. Throws TokenRefused when it is malformed, has bytes after its end or is larger than
   * `maxBytes`: no more than that is ever decompressed.
   */
  static decode({ bits, lst }: { bits: unknown; lst: unknown }, maxBytes = MAX_LIST_BYTES): StatusList {
    if (!isStatusBits(bits)) throw refused('malformed', 'bits is none of 1, 2, 4, 8');
    if (typeof lst !== 'string') throw refused('malformed', 'lst is not a string');
    return new StatusList(bits, inflated(decodeBase64url(lst, 'lst'), maxBytes));
  }

  /** How many statuses there are. */
  get size(): number {
    return (this.bytes.length * 8) / this.bits;
  }

  /** The status at an index. Throws RangeError when there is none. */
  get(index: number): number {
    const { byte, shift, mask } = this.placeOf(index);
    return ((this.bytes[byte] as number) >> shift) & mask;
  }

  /** Changes a status. Throws RangeError when there is no such index, or the status does not fit in the bits. */
  set(index: number, status: number): void {
    const { byte, shift, mask } = this.placeOf(index);
    if (!Number.isInteger(status) || status < 0 || status > mask)
      throw new RangeError(`a status of ${this.bits} bits is 0 to ${mask}`);
    this.bytes[byte] = ((this.bytes[byte] as number) & ~(mask << shift)) | (status << shift);
  }

  /** Compresses the list, off the main thread. */
  async encode(): Promise<EncodedStatusList> {
    const compressed = await deflateAsync(this.bytes, { level: 9 });
    return { bits: this.bits, lst: compressed.toString('base64url') };
  }

  private placeOf(index: number): { byte: number; shift: number; mask: number } {
    if (!Number.isInteger(index) || index < 0 || index >= this.size)
      throw new RangeError(`an index of this list is 0 to ${this.size - 1}`);
    const perByte = 8 / this.bits;
    return { byte: Math.floor(index / perByte), shift: (index % perByte) * this.bits, mask: (1 << this.bits) - 1 };
  }
}

/** What `info: true` makes of the result, which the types of Node do not say. */
interface InflateInfo {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

function inflated(compressed: Buffer, maxBytes: number): Buffer {
  let result: InflateInfo;
  try {
    result = inflateSync(compressed, {
      maxOutputLength: maxBytes,
      chunkSize: CHUNK_BYTES,
      info: true,
    }) as unknown as InflateInfo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw refused('too_large', `the list is larger than ${maxBytes} bytes`);
    throw refused('malformed', 'lst is not zlib data', error);
  }
  if (result.engine.bytesWritten !== compressed.length)
    throw refused('malformed', 'lst goes on after the end of its data');
  return result.buffer;
}
