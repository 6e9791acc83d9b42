/** A file of a ZIP as it is packed. */
export interface ZippedFile {
  name: string;
  method: number;
  crc32: number;
  /** Unpacked. */
  size: number;
  packed: Uint8Array;
}

const END = { signature: 0x06054b50, bytes: 22, comment: 0xffff };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const VERSION = 20;
const UTF8 = 0x0800;
/** 1980-01-01, the first day that a ZIP can state. */
const FIRST_DAY = 0x21;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** The files of a ZIP without ZIP64, in the order of its directory. Throws RangeError for anything else. */
export function filesOfZip(zip: Uint8Array): ZippedFile[] {
  const view = viewOf(zip);
  const end = endOf(view);
  const files: ZippedFile[] = [];
  for (let nth = 0, at = view.getUint32(end + 16, true); nth < view.getUint16(end + 10, true); nth++) {
    if (view.getUint32(at, true) !== CENTRAL.signature) throw new RangeError('the ZIP is damaged');
    const nameBytes = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const start = local + LOCAL.bytes + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    files.push({
      name: new TextDecoder().decode(zip.subarray(at + CENTRAL.bytes, at + CENTRAL.bytes + nameBytes)),
      method: view.getUint16(at + 10, true),
      crc32: view.getUint32(at + 16, true),
      size: view.getUint32(at + 24, true),
      packed: zip.subarray(start, start + view.getUint32(at + 20, true)),
    });
    at += CENTRAL.bytes + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}

/** One ZIP with the files of several, as they are packed: the same files give the same bytes. */
export function joinZips(zips: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  const files = zips.flatMap(filesOfZip);
  for (const file of files) {
    const name = new TextEncoder().encode(file.name);
    const local = record(LOCAL.bytes, LOCAL.signature, (view) => describe(view, 4, file, name));
    directory.push(
      record(CENTRAL.bytes, CENTRAL.signature, (view) => describeCentral(view, file, name, offset)),
      name,
    );
    body.push(local, name, file.packed);
    offset += local.length + name.length + file.packed.length;
  }
  const end = record(END.bytes, END.signature, (view) => {
    view.setUint16(8, files.length, true);
    view.setUint16(10, files.length, true);
    view.setUint32(12, bytesOf(directory), true);
    view.setUint32(16, offset, true);
  });
  return concatenated([...body, ...directory, end]);
}

function describeCentral(view: DataView, file: ZippedFile, name: Uint8Array, offset: number): void {
  view.setUint16(4, VERSION, true);
  describe(view, 6, file, name);
  view.setUint32(42, offset, true);
}

/** What the headers of a file have in common. */
function describe(view: DataView, at: number, { method, crc32, size, packed }: ZippedFile, name: Uint8Array): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8, true);
  view.setUint16(at + 4, method, true);
  view.setUint16(at + 8, FIRST_DAY, true);
  view.setUint32(at + 10, crc32, true);
  view.setUint32(at + 14, packed.length, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
}

function record(bytes: number, signature: number, fill: (view: DataView) => void): Uint8Array {
  const written = new Uint8Array(bytes);
  viewOf(written).setUint32(0, signature, true);
  fill(viewOf(written));
  return written;
}

const bytesOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytesOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function endOf(view: DataView): number {
  const least = Math.max(0, view.byteLength - END.bytes - END.comment);
  for (let at = view.byteLength - END.bytes; at >= least; at--) {
    if (view.getUint32(at, true) === END.signature) return at;
  }
  throw new RangeError('the bytes are no ZIP');
}
