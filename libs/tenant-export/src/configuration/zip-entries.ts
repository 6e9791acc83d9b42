import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** A file of a ZIP, by its directory. */
export interface ZipEntry {
  name: string;
  /** Unpacked, as the directory says. */
  bytes: number;
  /** The content. Throws ZipRefused when it is not as the directory says. */
  content(): Promise<Buffer>;
}

/** Bytes that are no ZIP, or one that is not read here. The message is for the caller. */
export class ZipRefused extends Error {}

export const ZIP_LIMITS = { bytes: 50 * 1024 * 1024, entries: 1_000 } as const;

const END = { signature: 0x06054b50, bytes: 22, comment: 0xffff };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

const inflate = promisify(inflateRaw);

/**
 * The files of a ZIP (PKWARE APPNOTE 6.3), stored or deflated, without ZIP64: no file of it is unpacked yet. Throws ZipRefused for anything
 * else, for more than 1,000 entries and for two of one name.
 */
export function zipEntries(zip: Buffer): ZipEntry[] {
  try {
    return [...directoryOf(zip)];
  } catch (error) {
    if (error instanceof RangeError) throw new ZipRefused('The ZIP is cut off or damaged: export it again.');
    throw error;
  }
}

function* directoryOf(zip: Buffer): Generator<ZipEntry> {
  const end = endOf(zip);
  const count = zip.readUInt16LE(end + 10);
  if (count > ZIP_LIMITS.entries) throw new ZipRefused(`The ZIP has more than ${ZIP_LIMITS.entries} files.`);
  const seen = new Set<string>();
  for (let nth = 0, at = zip.readUInt32LE(end + 16); nth < count; nth++) {
    if (zip.readUInt32LE(at) !== CENTRAL.signature) throw new RangeError();
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + CENTRAL.bytes, at + CENTRAL.bytes + nameBytes);
    if (seen.size === seen.add(name).size) throw new ZipRefused('The ZIP has two files of one name.');
    if (!name.endsWith('/')) yield entryOf(zip, at, name);
    at += CENTRAL.bytes + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

function endOf(zip: Buffer): number {
  const least = Math.max(0, zip.length - END.bytes - END.comment);
  for (let at = zip.length - END.bytes; at >= least; at--) {
    if (zip.readUInt32LE(at) === END.signature) return at;
  }
  throw new ZipRefused('The body is not a ZIP.');
}

function entryOf(zip: Buffer, at: number, name: string): ZipEntry {
  const method = zip.readUInt16LE(at + 10);
  const packed = zip.readUInt32LE(at + 20);
  const bytes = zip.readUInt32LE(at + 24);
  const local = zip.readUInt32LE(at + 42);
  const isEncrypted = (zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0;
  return {
    name,
    bytes,
    async content() {
      if (isEncrypted || (method !== STORED && method !== DEFLATED))
        throw new ZipRefused(`${name} is encrypted, or packed in a way that is not read here.`);
      if (local + LOCAL.bytes > zip.length || zip.readUInt32LE(local) !== LOCAL.signature) throw damaged(name);
      const start = local + LOCAL.bytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(start, start + packed);
      // One byte more than the directory states is enough to see that it is wrong.
      const unpacked =
        method === STORED
          ? content
          : await inflate(content, { maxOutputLength: bytes + 1 }).catch(() => Promise.reject(damaged(name)));
      if (unpacked.length !== bytes) throw damaged(name);
      return unpacked;
    },
  };
}

const damaged = (name: string) => new ZipRefused(`${name} is damaged: export it again.`);
