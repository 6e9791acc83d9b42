import { createHash } from 'node:crypto';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;
const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array } as const;
type TypeName = keyof typeof TYPES;

/** Stored index that cannot be used; `code` says why, the message what to do. */
export class IndexUnreadable extends Error {
  override readonly name = 'IndexUnreadable';
  constructor(
    readonly code: 'not_an_index' | 'other_format' | 'other_matcher' | 'damaged',
    message: string,
  ) {
    super(message);
  }
}

const MAGIC = Buffer.from('CNSTIDX\n', 'latin1');
/** Layout of the bytes; goes up when it changes. */
const FORMAT = 1;
const HASH_BYTES = 32;
/** Magic, format, length of the head, SHA-256 of all that follows. */
const PRELUDE = MAGIC.length + 4 + 4 + HASH_BYTES;
const align = (offset: number) => Math.ceil(offset / 8) * 8;

interface Section {
  name: string;
  type: TypeName;
  offset: number;
  length: number;
}

/** Named arrays of numbers and a head of JSON, as bytes: versioned, with a checksum, arrays aligned so that they are read in place. */
export function writeSections(head: Record<string, unknown>, arrays: Record<string, Numbers>): Uint8Array {
  let offset = 0;
  const sections = Object.entries(arrays).map(([name, array]): Section => {
    const section = { name, type: typeOf(array), offset, length: array.length };
    offset = align(offset + array.byteLength);
    return section;
  });
  const headBytes = Buffer.from(JSON.stringify({ ...head, sections }), 'utf8');
  const body = align(PRELUDE + headBytes.length);
  const bytes = Buffer.alloc(body + offset);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(FORMAT, MAGIC.length);
  bytes.writeUInt32LE(headBytes.length, MAGIC.length + 4);
  headBytes.copy(bytes, PRELUDE);
  for (const [nth, array] of Object.values(arrays).entries())
    bytes.set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      body + (sections[nth] as Section).offset,
    );
  digest(bytes).copy(bytes, MAGIC.length + 8);
  return bytes;
}

/** What writeSections wrote. Throws IndexUnreadable. The arrays share the bytes where these are aligned; do not change them. */
export function readSections(input: Uint8Array): { head: Record<string, unknown>; arrays: Map<string, Numbers> } {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes.length < PRELUDE || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new IndexUnreadable('not_an_index', 'These bytes are no stored list index. Build it again from the list.');
  const format = bytes.readUInt32LE(MAGIC.length);
  if (format !== FORMAT)
    throw new IndexUnreadable(
      'other_format',
      `The stored index has format ${format}, this version reads ${FORMAT}. Build it again from the list.`,
    );
  if (!digest(bytes).equals(bytes.subarray(MAGIC.length + 8, PRELUDE)))
    throw new IndexUnreadable(
      'damaged',
      'The checksum of the stored index is wrong. Load another copy, or build it again from the list.',
    );
  const headLength = bytes.readUInt32LE(MAGIC.length + 4);
  const body = align(PRELUDE + headLength);
  const head = JSON.parse(bytes.toString('utf8', PRELUDE, PRELUDE + headLength)) as { sections: Section[] };
  const aligned = (input.byteOffset + body) % 8 === 0 ? input.subarray(body) : Uint8Array.from(input.subarray(body));
  const arrays = new Map(
    head.sections.map(
      ({ name, type, offset, length }) =>
        [name, new TYPES[type](aligned.buffer as ArrayBuffer, aligned.byteOffset + offset, length)] as const,
    ),
  );
  return { head: { ...head }, arrays };
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes.subarray(PRELUDE)).digest();

function typeOf(array: Numbers): TypeName {
  for (const type of Object.keys(TYPES) as TypeName[]) if (array instanceof TYPES[type]) return type;
  throw new TypeError('an array of an unknown type');
}
